// The changelog: from a checkout on disk to the page, with runs and pull requests linked.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { axe, hydrated, launch } from "../lib/browser.mjs";
import { startServer } from "../lib/server.mjs";

const LINK = "https://github.com/SemiAnalysisAI/InferenceX/pull";
const KEYS = ["m1-fp4-b200-vllm", "m1-fp8-b200-vllm", "m1-fp8-h200-vllm", "m1-fp8-gb300-vllm"];
// A flag as real entries hold it: it widened the page on a phone.
const LONG_WORD = "a_flag_without_a_space_".repeat(6);
let server, browser;

before(async () => {
  server = await startServer();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test("without a checkout it says how to read one", async () => {
  const page = await browser.open(server.url + "/changelog");
  assert.match(await page.locator("main").innerText(), /paretoscope repo sync PATH/);
  await axe(page);
  await page.done();
});

test("a checkout is read: entries by pull request, wildcards resolved, odd ones marked", async () => {
  const checkout = join(server.folder, "checkout");
  await mkdir(join(checkout, "configs"), { recursive: true });
  const master = KEYS.map(
    (key) => `${key}:
  image: example/engine:1
  model: org/m
  model-prefix: m1
  runner: b200
  precision: fp4
  framework: vllm
  multinode: false
  scenarios:
    fixed-seq-len:
    - { isl: 8192, osl: 1024, search-space: [{ tp: 8, conc-list: [4] }] }
`,
  );
  await writeFile(join(checkout, "configs/nvidia-master.yaml"), master.join(""));
  const entry = (keys, pull, text) => `- config-keys: [${keys}]\n  description: ["${text}"]\n  pr-link: ${LINK}/${pull}\n\n`;
  const entries = [entry("m1-*", "7", "First of two"), entry(KEYS[2], "8", `Another, with ${LONG_WORD}`), entry("m1-*", "7", "Second of two")];
  const odd = entry("gone", "XXX", "A placeholder");
  await writeFile(join(checkout, "perf-changelog.yaml"), `${entries.join("")}${odd}- nothing: here\n`);
  const { status, stdout } = await server.cli("repo", "sync", checkout, "--commit", "0123456789abcdef0123456789abcdef01234567");
  assert.equal(status, 3, stdout);
  assert.match(stdout, /left out: perf-changelog\.yaml:17: entry 5: unknown_key/);

  const page = await browser.open(server.url + "/changelog");
  await hydrated(page);
  const groups = page.locator(".change");
  assert.equal(await groups.count(), 3);
  assert.match(await groups.nth(0).innerText(), /No pull request named[\s\S]*gone[\s\S]*no configuration now[\s\S]*placeholder/);
  const two = groups.nth(1);
  assert.match(await two.innerText(), /#7[\s\S]*m1-\*\s+4 configurations[\s\S]*Second of two[\s\S]*First of two/);
  const link = two.getByRole("link", { name: KEYS[2] });
  assert.equal(await link.isVisible(), false, "many configurations are folded");
  await two.locator("summary").click();
  await axe(page);
  await link.click();
  await page.waitForURL(`**/changelog?config=${KEYS[2]}`);
  assert.equal(await page.locator(".change").count(), 2);

  await page.getByLabel("Pull request").fill("8");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL("**/changelog?config=*&pr=8*");
  assert.equal(await page.locator(".change").count(), 1);
  const line = page.getByRole("link", { name: /entry 2, line 5/ });
  assert.match(await line.getAttribute("href"), /\/blob\/0123456789abcdef0123456789abcdef01234567\/perf-changelog\.yaml#L5$/);
  await page.done();
});

test("without JavaScript and on a phone it is all there", async () => {
  const page = await browser.open(server.url + "/changelog", { device: "phone", javaScript: false });
  assert.match(await page.locator("main").innerText(), /Entries that could not be used[\s\S]*unknown key/);
  const width = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(width, 0, "nothing stands over the edge");
  await page.done();
});

test("the sample: an entry of the reference pull request, its runs, and the way from the run's page", async () => {
  const { status } = await server.cli("sample");
  assert.equal(status, 0);
  const page = await browser.open(server.url + "/runs/41261902147#changelog");
  await page.locator("#changelog").getByRole("link", { name: /What the changelog says of #4603/ }).click();
  await page.waitForURL("**/changelog?pr=4603");
  const change = page.locator(".change");
  assert.equal(await change.count(), 1);
  assert.match(await change.innerText(), /not on main[\s\S]*dsv41flash-fp4-gb300-sglang-agentic-dspark[\s\S]*retold/);
  assert.equal(await change.getByRole("link", { name: "#4603", exact: true }).getAttribute("href"), "/pulls/4603");
  for (const run of ["41261902147", "40809149952"]) {
    assert.equal(await change.getByRole("link", { name: run }).getAttribute("href"), `/runs/${run}`);
  }
  await axe(page);
  await page.done();
});
