// Two runs, or a run and the official curve, against each other: with and without JavaScript, on a desk and a phone.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { axe, hydrated, launch } from "../lib/browser.mjs";
import { startServer } from "../lib/server.mjs";

const PAIR = "/compare?base=40809149952&head=41261902147";
const OFFICIAL = "/compare?base=official&head=9000000000025";
let server, browser;

before(async () => {
  server = await startServer();
  const { status, stderr } = await server.cli("sample");
  assert.equal(status, 0, stderr);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Cells of the table: label, and the change of the first metric. */
async function changes(page) {
  const rows = page.locator("#points table.compare tbody tr[data-point]");
  const texts = await rows.evaluateAll((rows) => rows.map((r) => [r.cells[0].innerText, r.cells[1].innerText]));
  return texts.map(([label, change]) => [label.split("\n")[0].trim(), /[+−]?[\d.]+ %/.exec(change)?.[0]]);
}

test("without JavaScript the answer, the figures and the filters are there", async () => {
  const page = await browser.open(server.url + PAIR, { javaScript: false });
  assert.match(await page.locator(".verdict").innerText(), /^Worse: throughput per GPU is worse at 2 of 8 points \(most at TP4 c4: −7\.8 %, large\)/);
  assert.deepEqual(await changes(page), [
    ["TP4 c1", "+0.1 %"],
    ["TP4 c4", "−7.8 %"],
    ["TP4 c16", "0.0 %"],
    ["TP2/EP2 c16", "+0.2 %"],
    ["TP2/EP2 c32", "−0.6 %"],
    ["TP2/EP2/DPA c64", "+0.3 %"],
    ["TP2/EP2/DPA c128", "+0.3 %"],
    ["TP2/EP2/DPA c160", "−3.5 %"],
  ]);
  await page.getByRole("link", { name: /Notable only/ }).click();
  await page.waitForURL(/show=notable/);
  assert.deepEqual((await changes(page)).map(([label]) => label), ["TP4 c4", "TP2/EP2/DPA c160"]);
  await page.getByLabel("Baseline").selectOption("official");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL(/base=official/);
  assert.match(await page.locator("main").innerText(), /no official run has any of these curves/);
  await page.done();
});

test("the run's page leads here, and the answer is in the first screen", async () => {
  const page = await browser.open(server.url + "/runs/41261902147");
  await hydrated(page);
  await page.locator("#compare summary").click();
  await page.getByRole("link", { name: /With run 40809149952/ }).click();
  await page.waitForURL(/\/compare\?base=40809149952&head=41261902147/);
  const box = await page.locator(".verdict").boundingBox();
  assert.ok(box.y + box.height < 300, `the verdict ends at ${box.y + box.height}`);
  await axe(page, { exclude: [".plot"] });
  await page.done();
});

test("a change of the baseline swaps the answer, and Back brings the old one", async () => {
  const page = await browser.open(server.url + OFFICIAL);
  await hydrated(page);
  assert.match(await page.locator("h1").innerText(), /against the official curve/);
  assert.equal(await page.locator("#points .bar").count() > 0, true);
  await page.getByLabel("Baseline").selectOption({ label: "run 9000000000010 (official, 13 May 2026)" });
  await page.waitForFunction(() => /run 9000000000010/.test(document.querySelector("h1").innerText));
  assert.match(page.url(), /base=9000000000010/);
  assert.match(await page.locator(".sides").innerText(), /run 9000000000010/);
  await page.goBack();
  await page.waitForFunction(() => /official curve/.test(document.querySelector("h1").innerText));
  await page.done();
});

for (const device of ["desktop", "phone"]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`accessible and no wider than the screen: ${device}, ${colorScheme}`, async () => {
      for (const path of [PAIR, OFFICIAL, "/compare", `${PAIR}&metrics=all`]) {
        const page = await browser.open(server.url + path, { device, colorScheme });
        await hydrated(page);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(over <= 0, `${path} is ${over} px too wide`);
        await axe(page, { exclude: [".plot"] });
        await page.done();
      }
    });
  }
}

test("what can't be compared is told by name, with its status", async () => {
  for (const [path, status, pattern] of [
    ["/compare?base=77&head=41261902147", 404, /Run 77: It was never ingested here/],
    ["/compare?head=abc", 400, /head=abc is not used/],
    ["/compare?base=9000000000005&head=41261902147", 200, /synthetic and real runs are not compared/],
  ]) {
    const page = await browser.open(server.url + path, { expectErrors: [/status of 4/] });
    assert.equal(page.response.status(), status, path);
    assert.match(await page.locator("main").innerText(), pattern);
    await axe(page);
    await page.done();
  }
});

test("the command line answers for a terminal and to paste", async () => {
  const text = await server.cli("compare", "40809149952", "41261902147");
  assert.equal(text.status, 0, text.stderr);
  assert.match(text.stdout, /TP4 c4 +10,222 +9,425 +−7\.8 % +large, worse/);
  const md = await server.cli("compare", "40809149952", "41261902147", "--format", "md");
  assert.match(md.stdout, /\| TP4 c4 \| 10,222 \| 9,425 \| −7\.8 % \| large, worse \|/);
  const json = await server.cli("compare", "official", "9000000000025", "--as-of", "2026-05-13", "--format", "json");
  assert.equal(JSON.parse(json.stdout).base.runs[0].run_id, 9000000000010);
  assert.equal((await server.cli("compare", "1", "41261902147")).status, 1);
  assert.equal((await server.cli("compare", "x", "41261902147")).status, 2);
});
