// From the command line to a pull request: the journey the product is for.

import assert from "node:assert/strict";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { hydrated, launch } from "../lib/browser.mjs";
import { ROOT, startServer } from "../lib/server.mjs";

const RUN = "41261902147";
let server, browser;

before(async () => {
  server = await startServer();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test("an empty house says how to fill it", async () => {
  const page = await browser.open(server.url + "/runs");
  assert.match(await page.locator("main").innerText(), /paretoscope ingest/);
  await page.done();
});

test("a run goes in by command line; list, run, point and pull request follow", async () => {
  const { status, stdout } = await server.cli("ingest", join(ROOT, "sample/runs", RUN));
  assert.equal(status, 0, stdout);
  assert.match(stdout, /benchmark\s+8\s+0\s+0\s+0\s+0/);
  assert.match(stdout, /eval\s+6\s+6\s+0\s+0\s+0/);
  assert.match(stdout, /trace\s+not read yet/);

  const page = await browser.open(server.url + "/runs");
  await hydrated(page);
  const row = page.locator("tr", { has: page.getByRole("link", { name: RUN }) });
  assert.match(await row.innerText(), /unofficial/i);
  await row.getByRole("link", { name: RUN }).first().click();
  await page.waitForURL(`**/runs/${RUN}`);

  const main = page.locator("main");
  await assertText(main, /UNOFFICIAL RUN/);
  await assertText(page.locator("h1"), /DeepSeek-V4\.1-Flash.*agentic traces.*GB300.*SGLang.*FP4/);
  await assertText(main, /P90 7\/8/);
  await assertText(main, /P75 7\/8/);
  await assertText(main, /TP4 c4 is dominated by TP4 c16/);
  await assertText(main, /6 of 6 pass/);
  const rows = page.locator("#points tbody tr[data-point]");
  assert.equal(await rows.count(), 8);
  assert.match(await rows.nth(0).innerText(), /TP4 c1\s[\s\S]*5\.67[\s\S]*3\.17[\s\S]*8,105/);

  const pr = main.getByRole("link", { name: /4603/ }).first();
  assert.equal(await pr.getAttribute("href"), "/pulls/4603");
  const github = main.getByRole("link", { name: "#4603 on GitHub" }).first();
  assert.equal(await github.getAttribute("href"), "https://github.com/SemiAnalysisAI/InferenceX/pull/4603");
  const commit = main.getByRole("link", { name: /41d29b28/ }).first();
  assert.match(await commit.getAttribute("href"), /\/commit\/41d29b2834a85fcee09db6f9f52653b7c2f30ef3$/);

  await rows.nth(1).getByRole("link", { name: "TP4 c4" }).click();
  await page.waitForURL("**/points/*");
  await assertText(page.locator("h1"), /TP4 c4/);
  await assertText(page.locator("main"), /9,425/);
  await assertText(page.locator("main"), /bmk_agentic/);
  await page.done();
});

test("the same again changes nothing and says so", async () => {
  const { status, stdout } = await server.cli("ingest", join(ROOT, "sample/runs", RUN));
  assert.equal(status, 0);
  assert.match(stdout, /Nothing changed/);
});

test("an older run becomes its baseline, and the open server shows it", async () => {
  const { status } = await server.cli("ingest", join(ROOT, "sample/runs/40809149952"));
  assert.equal(status, 0);
  const page = await browser.open(`${server.url}/runs/${RUN}`);
  await assertText(page.locator("main"), /Against run 40809149952/);
  await assertText(page.locator("main"), /−7\.8 %/);
  await page.done();
});

test("refused input is listed with its reason, and the rest lands", async () => {
  const run = join(server.folder, "500000001");
  await mkdir(join(run, "results_bmk"), { recursive: true });
  const row = {
    hw: "b200", conc: 4, image: "example/vllm:1", model: "openai/gpt-oss-120b", infmax_model_prefix: "gptoss", framework: "vllm",
    precision: "fp4", spec_decoding: "none", disagg: false, isl: 1024, osl: 1024, is_multinode: false, tp: 4, ep: 1,
    dp_attention: "false", tput_per_gpu: 1000, median_e2el: 5, median_intvty: 50,
  };
  const rows = [
    row,
    { ...row, conc: 8, median_e2el: -1 },
    { ...row, conc: 16, infmax_model_prefix: "nova1", model: "example/<script>alert(1)</script>" },
    { ...row, conc: 32, hw: "" },
  ];
  const text = JSON.stringify(rows).replace(/\]$/, `,${JSON.stringify({ ...row, conc: 64 }).replace('"tput_per_gpu":1000', '"tput_per_gpu":NaN')}]`);
  await writeFile(join(run, "results_bmk/agg_bmk.json"), text);
  const { status, stdout } = await server.cli("ingest", run);
  assert.equal(status, 3, stdout);
  const page = await browser.open(`${server.url}/runs/500000001#ingest`);
  const main = page.locator("main");
  for (const reason of ["negative", "unmapped_model", "missing_identity", "not_a_number"]) await assertText(main, new RegExp(reason));
  await assertText(main, /<script>alert\(1\)<\/script>/);
  assert.equal(await page.locator("#points tbody tr[data-point]").count(), 1);
  await page.done();
});

test("an unmapped model is added to the vocabulary and ingested again, without a release", async () => {
  const words = join(server.folder, "words.toml");
  await writeFile(words, '[[models]]\nkey = "nova1"\nlabel = "Nova-1"\n');
  const { status, stdout } = await server.cli("ingest", join(server.folder, "500000001"), "--vocabulary", words, "--json");
  assert.equal(status, 3, "the other rows are still refused");
  const report = JSON.parse(stdout);
  assert.deepEqual(report.rows.benchmark, { new: 1, duplicate: 1, skipped: 0, unmapped: 0, failed: 3 });
  const page = await browser.open(`${server.url}/runs/500000001`);
  assert.equal(await page.locator("tr[data-point]").count(), 2);
  await page.done();
});

test("exit statuses: nothing there, bad usage, no run id", async () => {
  assert.equal((await server.cli("ingest", join(server.folder, "nowhere"))).status, 1);
  assert.equal((await server.cli("ingest")).status, 2);
  const folder = join(server.folder, "nameless");
  await cp(join(ROOT, "sample/runs/40809149952"), folder, { recursive: true, filter: (path) => !path.endsWith("run.json") });
  const { status, stderr } = await server.cli("ingest", folder);
  assert.equal(status, 1);
  assert.match(stderr, /--run-id/);
});

async function assertText(locator, pattern) {
  const text = await locator.first().innerText();
  assert.match(text, pattern);
}
