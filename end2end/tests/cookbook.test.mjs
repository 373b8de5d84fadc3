// The cookbook: statuses as filters, columns that sort by links, drift in words, all of it without JavaScript too.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { axe, hydrated, launch } from "../lib/browser.mjs";
import { startServer } from "../lib/server.mjs";

const KEY = "dsv41flash-fp4-gb300-sglang-agentic-dspark";
const RUN = "41261902147";
const OLDER = "40809149952";
let server, browser;

// Two cells of one configuration, one of them behind its pin, and one with a setting that no recipe may have.
const snippet = () => {
  const cell = (item, change = {}) => ({
    id: `${KEY}#${item}`,
    hw: "gb300",
    ckpt: "deepseek-ai/DeepSeek-V4.1-Flash",
    label: "Agg TP8",
    configKey: KEY,
    image: "lmsysorg/sglang:nightly-1",
    imageStatus: "ok",
    submitted: "sglang",
    prov: { sha: "9bd047ac7", run: `${OLDER}/attempts/1`, pr: 4603, status: "verified-pr" },
    points: [{ concs: [512], item, goldenAL: "3.51" }],
    ...change,
  });
  const cells = [
    cell("late"),
    cell("pruned", { imageStatus: "pruned" }),
    cell("forbidden", {
      envs: [0],
      routers: { sglang: { blocks: [{ kind: "serve", role: "agg", cmd: "python3 -m sglang.launch_server", env: { SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE: "1" }, args: [] }] } },
    }),
  ];
  const object = {
    model: "DeepSeek-V4.1-Flash",
    source: { repo: "https://github.com/SemiAnalysisAI/InferenceX", main: "aaaaaaaaaaaa", prs: {} },
    hardware: [{ id: "gb300", label: "GB300" }],
    checkpoints: [{ id: "deepseek-ai/DeepSeek-V4.1-Flash" }],
    envs: [],
    files: {},
    cells,
  };
  return `// GENERATED\nexport const agentx = ${JSON.stringify(object, null, 1)};\n`;
};

before(async () => {
  server = await startServer({ sample: true });
  const good = join(server.folder, "late.jsx");
  const broken = join(server.folder, "broken.jsx");
  await writeFile(good, snippet());
  await writeFile(broken, "export const agentx = { not json };\n");
  const synced = await server.cli("cookbook", "sync", good, broken);
  assert.equal(synced.status, 3, synced.stdout + synced.stderr);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const rows = (page) => page.locator("table.cookbook tbody tr");
const names = async (page) => (await page.locator('table.cookbook tbody th[scope="row"]').allInnerTexts()).map((t) => t.split("\n")[0].trim());

describe("the cookbook without JavaScript", () => {
  test("drift stands in words, and what could not be read is named", async () => {
    const page = await browser.open(`${server.url}/cookbook`, { javaScript: false });
    assert.equal(page.response.status(), 200);
    const text = await page.locator("main").innerText();
    for (const word of [
      /run: cookbook 40809149952, pinned 41261902147/,
      /commit: cookbook 9bd047ac, run 41261902147 measured 41d29b28/,
      /image pruned: the snippet says that lmsysorg\/sglang:nightly-1/,
      /forbidden flag: SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE=1, which check 13 forbids/,
      /status: cookbook verified on the PR, #4603 was merged/,
      /points: only in run 41261902147/,
      /broken\.jsx/,
    ]) {
      assert.match(text, word);
    }
    await page.done();
  });

  test("statuses are links, drift and words a form", async () => {
    const page = await browser.open(`${server.url}/cookbook`, { javaScript: false });
    const all = await rows(page).count();
    await page.locator("#statuses a", { hasText: "verified on the PR" }).click();
    await page.waitForURL("**status=verified-pr**");
    assert.equal(await page.locator("#statuses a[aria-current]").innerText().then((t) => t.replace(/\s+\d+$/, "")), "verified on the PR");
    await page.locator('#filters select[name="drift"]').selectOption("forbidden_flag");
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL("**drift=forbidden_flag**");
    assert.ok(page.url().includes("status=verified-pr"), "the other filter stays");
    assert.deepEqual(await names(page), [`${KEY}#forbidden`]);
    await page.locator('#filters input[name="q"]').fill("nothing-of-this-name");
    await page.getByRole("button", { name: "Show" }).click();
    assert.match(await page.locator("main").innerText(), /No entry passes all filters/);
    await page.getByRole("link", { name: "Show all entries" }).click();
    assert.equal(await rows(page).count(), all);
    await page.done();
  });

  test("columns sort by links, one way and the other", async () => {
    const page = await browser.open(`${server.url}/cookbook`, { javaScript: false });
    const open = await rows(page).evaluateAll((all) => all.map((row) => row.querySelectorAll(".drift > li").length));
    assert.ok(open[0] > 0 && open[0] >= open.at(-1), "what drifts stands first");
    const configuration = page.locator("table.cookbook thead a", { hasText: "Configuration" });
    await configuration.click();
    await page.waitForURL("**sort=key**");
    const up = await names(page);
    assert.deepEqual(up, [...up].sort());
    await configuration.click();
    await page.waitForURL("**sort=-key**");
    assert.deepEqual(await names(page), [...up].reverse());
    assert.equal(await page.locator('th[aria-sort="descending"]').count(), 1);
    await page.locator("table.cookbook thead a", { hasText: "Status" }).click();
    await page.waitForURL("**sort=status**");
    assert.equal(await page.locator('th[aria-sort="ascending"]').innerText(), "Status");
    await page.done();
  });
});

for (const device of ["desktop", "phone"]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`the page is accessible on a ${device}, ${colorScheme}`, async () => {
      const page = await browser.open(`${server.url}/cookbook`, { device, colorScheme });
      await hydrated(page);
      await axe(page);
      await page.done();
    });
  }
}

test("the navigation leads here, and rows lead on", async () => {
  const page = await browser.open(`${server.url}/`);
  await page.getByRole("navigation", { name: "Site" }).getByRole("link", { name: "Cookbook" }).click();
  await page.waitForURL("**/cookbook");
  await page.locator("table.cookbook tbody").getByRole("link", { name: RUN, exact: true }).first().click();
  await page.waitForURL(`**/runs/${RUN}`);
  assert.match(await page.locator("#cards").innerText(), /Cookbook/);
  assert.match(await page.locator("#cookbook").innerText(), /status: cookbook verified on the PR/);
  await page.done();
});

test("the files hold what the page shows", async () => {
  const answer = await (await fetch(`${server.url}/api/v1/cookbook?drift=forbidden_flag`)).json();
  assert.deepEqual(answer.entries.map((e) => e.cell_id), [`${KEY}#forbidden`]);
  const csv = await (await fetch(`${server.url}/api/v1/cookbook.csv?drift=forbidden_flag`)).text();
  assert.equal(csv.trim().split("\n").length, 2);
  assert.match(csv, /SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE=1/);
});

test("without a snippet the page says how to read some", async () => {
  const empty = await startServer();
  try {
    const page = await browser.open(`${empty.url}/cookbook`);
    assert.match(await page.locator("main").innerText(), /paretoscope cookbook sync PATH/);
    await axe(page);
    await page.done();
  } finally {
    await empty.stop();
  }
});
