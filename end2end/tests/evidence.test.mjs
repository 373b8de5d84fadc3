// The evidence of a run: a menu on its page, a text to paste, the command line.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { axe, hydrated, launch } from "../lib/browser.mjs";
import { startServer } from "../lib/server.mjs";

const RUN = "41261902147";
const OLDER = "40809149952";
let server, browser;

before(async () => {
  server = await startServer({ sample: true, env: { PARETOSCOPE_PUBLIC_URL: "https://bench.example.org" } });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test("the menu opens the Markdown, in both languages", async () => {
  const page = await browser.open(`${server.url}/runs/${RUN}`, { javaScript: false });
  await page.locator("#evidence > summary").click();
  assert.equal(await page.locator("#evidence").getByRole("button").count(), 0, "copying needs JavaScript");
  await page.locator("#evidence a", { hasText: "English" }).click();
  await page.waitForURL("**/evidence?lang=en");
  const text = await page.locator("body").innerText();
  assert.match(text, /^> \*\*UNOFFICIAL RUN: not an official result\*\*/);
  assert.match(text, /https:\/\/bench\.example\.org\/runs\/41261902147#points/);
  await page.goBack();
  await page.locator("#evidence > summary").click();
  await page.locator("#evidence a", { hasText: "中文" }).click();
  assert.match(await page.locator("body").innerText(), /非正式 run：不是正式结果/);
  await page.done();
});

test("a button copies the text that the link opens", async () => {
  const page = await browser.open(`${server.url}/runs/${RUN}`, { context: { permissions: ["clipboard-read", "clipboard-write"] } });
  await hydrated(page);
  await page.locator("#evidence > summary").click();
  const button = page.locator("#evidence button", { hasText: "English" });
  await button.click();
  await page.locator("#evidence button[data-copied]").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const served = await (await fetch(`${server.url}/api/v1/runs/${RUN}/evidence?lang=en`)).text();
  assert.equal(copied.replaceAll("\r\n", "\n"), served);
  assert.match(served, /\| −7\.8 % \|/);
  await page.done();
});

test("the menu keeps the baseline that the page shows", async () => {
  const page = await browser.open(`${server.url}/runs/${RUN}?baseline=none`);
  await hydrated(page);
  const href = await page.locator("#evidence a").first().getAttribute("href");
  assert.equal(href, `/api/v1/runs/${RUN}/evidence?baseline=none&lang=en`);
  assert.match(await (await fetch(server.url + href)).text(), /No baseline: no baseline was chosen\./);
  await page.done();
});

test("the open menu is accessible", async () => {
  const page = await browser.open(`${server.url}/runs/${RUN}`);
  await hydrated(page);
  await page.locator("#evidence > summary").click();
  await axe(page, { exclude: [".plot"] });
  await page.done();
});

test("every anchor that the text links to is on its page", async () => {
  const text = await (await fetch(`${server.url}/api/v1/runs/${RUN}/evidence`)).text();
  const links = new Set([...text.matchAll(/\]\(https:\/\/bench\.example\.org(\/[^)]*)\)/g)].map((m) => m[1]));
  assert.ok(links.size > 15, `${links.size} links`);
  for (const link of links) {
    const [path, anchor] = link.split("#");
    const answer = await fetch(server.url + path);
    assert.equal(answer.status, 200, link);
    if (anchor) assert.ok((await answer.text()).includes(` id="${anchor}"`), `${path} has no #${anchor}`);
  }
});

test("the command line writes the same", async () => {
  const served = await (await fetch(`${server.url}/api/v1/runs/${RUN}/evidence?lang=zh&baseline=${OLDER}`)).text();
  const told = await server.cli("evidence", RUN, "--lang", "zh", "--baseline", OLDER);
  assert.equal(told.status, 0, told.stderr);
  assert.equal(told.stdout, served);
  const file = join(server.folder, "evidence.md");
  assert.equal((await server.cli("evidence", RUN, "--out", file)).status, 0);
  assert.match(await readFile(file, "utf8"), /^> \*\*UNOFFICIAL RUN/);
  const json = JSON.parse((await server.cli("evidence", RUN, "--json")).stdout);
  assert.ok(json.markdown.length < 60_000);
  const unknown = await server.cli("evidence", "77");
  assert.equal(unknown.status, 1);
  assert.match(unknown.stderr, /run 77 was never ingested here/);
  assert.equal((await server.cli("evidence", RUN, "--lang", "de")).status, 2);
  assert.equal((await server.cli("evidence", RUN, "--baseline", RUN)).status, 1);
});
