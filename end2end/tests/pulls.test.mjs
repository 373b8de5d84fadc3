// Pull requests: the reference story on one page, by keyboard, on a phone, without JavaScript, and from the command line.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { axe, hydrated, launch } from "../lib/browser.mjs";
import { startServer } from "../lib/server.mjs";

const PULL = 4603;
const PINNED = "41261902147";
const OLDER = "40809149952";
let server, browser;

before(async () => {
  server = await startServer({ sample: true });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const NOT_OK = [/status of 4\d\d/];

/** Number, name and status of every check, as the page says them. */
const statuses = (page) =>
  page.locator("#checks details.check > summary").evaluateAll((nodes) =>
    nodes.map((node) => [
      node.querySelector(".check-number").textContent.trim(),
      node.querySelector(".check-name").textContent.trim(),
      node.querySelector(".check-status").textContent.trim().replace(/\s+/g, " "),
    ]),
  );

describe("the reference pull request", () => {
  test("its pin, and the pin before it", async () => {
    const page = await browser.open(`${server.url}/pulls/${PULL}`);
    const now = await page.locator("#now").innerText();
    assert.match(now, new RegExp(`Pinned run\\s+run ${PINNED}`));
    assert.match(now, new RegExp(`Superseded\\s+/use ${OLDER}`));
    assert.match(now, /41d29b28 is in the pull request\. No commits follow it\./);
    assert.match(now, /unexpired until 2027-01-30/);
    assert.match(now, /benchmark 8[\s\S]*eval 6/);
    assert.match(await page.locator("#now").getByRole("link", { name: `run ${PINNED}`, exact: true }).getAttribute("href"), new RegExp(`/runs/${PINNED}$`));
    const compare = page.locator("#now").getByRole("link", { name: `Compare run ${OLDER} with run ${PINNED}` });
    assert.equal(await compare.getAttribute("href"), `/compare?base=${OLDER}&head=${PINNED}`);
    await page.done();
  });

  test("its checks as the rules decide them", async () => {
    const page = await browser.open(`${server.url}/pulls/${PULL}`);
    const all = new Map((await statuses(page)).map(([number, , status]) => [number, status]));
    for (const number of ["1", "2", "4", "11", "14"]) assert.match(all.get(number), /^✓ pass/, `check ${number}: ${all.get(number)}`);
    for (const number of ["12", "17"]) assert.match(all.get(number), /not applicable/, `check ${number}: ${all.get(number)}`);
    assert.equal([...all.keys()].filter((n) => n !== "+").length, 19);
    const detail = (n) => page.locator(`#check-${n}`).evaluate((node) => node.textContent);
    assert.match(await detail(1), /attempts\s*1 and 2/);
    assert.match(await detail(2), /0\.0068[\s\S]*0\.0128/);
    assert.match(await detail(11), /3\.51/);
    assert.match(await detail(14), /7 of 8|7\/8/);
    await page.done();
  });

  test("what happened, in order", async () => {
    const page = await browser.open(`${server.url}/pulls/${PULL}`);
    const story = await page.locator("#timeline").evaluate((node) => node.textContent.replace(/\s+/g, " "));
    const order = [
      "opened",
      "9bd047ac",
      `/use ${OLDER}`,
      `staged run ${OLDER}`,
      "sgl-project/sglang#47464 merged",
      `/use ${PINNED}`,
      `staged run ${PINNED}`,
      "sgl-project/sglang#47929 merged",
      "sign-off",
      "verdict: PASS",
      "approved",
      "merged",
      "Ingest report",
    ];
    let at = 0;
    for (const part of order) {
      const found = story.indexOf(part, at);
      assert.ok(found >= 0, `“${part}” stands after “${story.slice(Math.max(0, at - 60), at)}” in: ${story}`);
      at = found + part.length;
    }
    assert.match(story, /evalSamplesNew 7,914/);
    assert.match(story, /gpuMetricSamplesNew 118,366/);
    await page.done();
  });

  test("the cookbook round that missed the pin shows as drift until the later one", async () => {
    const page = await browser.open(`${server.url}/pulls/${PULL}`);
    const round = (n) => page.locator("#cookbook tbody tr", { hasText: `sgl-project/sglang#${n}` });
    assert.match(await round(47464).innerText(), new RegExp(`missed the pin[\\s\\S]*${OLDER}[\\s\\S]*#47929 made up for it`));
    assert.doesNotMatch(await round(47929).innerText(), /missed the pin/);
    await page.done();
  });

  test("the retelling says that it is one", async () => {
    const page = await browser.open(`${server.url}/pulls/${PULL}`);
    assert.match(await page.locator("main").innerText(), /^RETOLD/);
    await page.done();
  });

  test("the verifier's word stands beside ours", async () => {
    const page = await browser.open(`${server.url}/pulls/${PULL}`);
    const papers = page.locator("#papers");
    assert.match(await papers.innerText(), /20 of 20 items ticked/);
    assert.equal(await papers.locator("table tbody tr").count(), 19);
    await page.done();
  });
});

describe("reading it", () => {
  for (const [device, colorScheme] of [
    ["desktop", "light"],
    ["desktop", "dark"],
    ["phone", "light"],
  ]) {
    test(`nothing is in the way on a ${device}, ${colorScheme}`, async () => {
      const page = await browser.open(`${server.url}/pulls/${PULL}`, { device, colorScheme });
      await hydrated(page);
      await axe(page);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wider <= 0, `the page is ${wider}px wider than the screen`);
      await page.done();
    });
  }

  test("a check opens by keyboard to its rule, inputs and source", async () => {
    const page = await browser.open(`${server.url}/pulls/${PULL}`);
    const check = page.locator("#checks details.check", { has: page.locator("#check-2") });
    await check.locator("summary").focus();
    assert.equal(await check.getAttribute("open"), null);
    await page.keyboard.press("Enter");
    assert.notEqual(await check.getAttribute("open"), null);
    const body = page.locator("#check-2");
    assert.ok(await body.isVisible());
    assert.match(await body.innerText(), /Inputs[\s\S]*Rule:[\s\S]*Source:/);
    await axe(page);
    await page.keyboard.press("Enter");
    assert.ok(await body.isHidden());
    await page.done();
  });

  test("the answer is in the first screen", async () => {
    const page = await browser.open(`${server.url}/pulls/${PULL}`);
    for (const selector of ["#now dl", "#checks details.check >> nth=0"]) {
      const box = await page.locator(selector).first().boundingBox();
      assert.ok(box && box.y < 500, `${selector} starts at ${box?.y}`);
    }
    await page.done();
  });

  test("without JavaScript it is whole, and checks open", async () => {
    const page = await browser.open(`${server.url}/pulls/${PULL}`, { javaScript: false });
    const summary = page.locator("#checks details.check > summary").nth(1);
    await summary.click();
    assert.ok(await page.locator("#check-1").isVisible());
    assert.match(await page.locator("#timeline").innerText(), new RegExp(`/use ${PINNED}`));
    await page.done();
  });

  test("the run leads to it, and it leads to the run", async () => {
    const page = await browser.open(`${server.url}/runs/${PINNED}`);
    await page.getByRole("link", { name: `PR #${PULL}` }).first().click();
    await page.waitForURL(`**/pulls/${PULL}`);
    await page.locator("#runs").getByRole("link", { name: OLDER }).click();
    await page.waitForURL(`**/runs/${OLDER}`);
    await page.done();
  });
});

describe("the list", () => {
  test("shows it with its pin and its checks, and narrows", async () => {
    const page = await browser.open(`${server.url}/pulls`);
    await hydrated(page);
    await axe(page);
    const row = page.locator("table.pulls tbody tr", { hasText: `#${PULL}` });
    assert.match(await row.innerText(), new RegExp(`merged[\\s\\S]*${PINNED}`));
    await page.locator('#filters select[name="state"]').selectOption("open");
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL("**state=open**");
    assert.match(await page.locator("main").innerText(), /No pull request passes both filters/);
    await page.getByRole("link", { name: "Show all pull requests" }).click();
    await page.locator('#filters input[name="q"]').fill(PINNED);
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(`**q=${PINNED}**`);
    assert.equal(await page.locator("table.pulls tbody tr").count(), 1);
    await page.done();
  });

  test("one that was never read is 404, with what to do", async () => {
    for (const path of ["/pulls/99", "/pulls/abc"]) {
      const page = await browser.open(`${server.url}${path}`, { expectErrors: NOT_OK });
      assert.equal(page.response.status(), 404);
      assert.match(await page.locator("main").innerText(), /What to do/);
      await page.done();
    }
  });
});

describe("programs", () => {
  test("the API answers the same", async () => {
    const answer = await (await fetch(`${server.url}/api/v1/pulls/${PULL}`)).json();
    assert.deepEqual(
      answer.pins.map((p) => [p.run_id, p.authorised, p.current]),
      [
        [Number(OLDER), true, false],
        [Number(PINNED), true, true],
      ],
    );
    assert.equal(answer.checks.length >= 19, true);
    assert.deepEqual(
      answer.cookbook.filter((r) => r.missed_pin).map((r) => [r.number, r.settled_by]),
      [[47464, 47929]],
    );
    const list = await (await fetch(`${server.url}/api/v1/pulls`)).json();
    assert.equal(list.items[0].number, PULL);
    assert.equal((await fetch(`${server.url}/api/v1/pulls/99`)).status, 404);
    assert.equal((await fetch(`${server.url}/api/v1/pulls/abc`)).status, 400);
  });

  test("the command line answers as text, Markdown and JSON", async () => {
    const text = await server.cli("checks", String(PULL));
    assert.equal(text.status, 0, text.stderr);
    assert.match(text.stdout, /Pinned: run 41261902147/);
    assert.match(text.stdout, / 2 {2}Evals +pass/);
    const markdown = await server.cli("checks", String(PULL), "--format", "md");
    assert.match(markdown.stdout, /\| 12 \| .* \| ➖ not applicable \|/);
    const json = await server.cli("checks", String(PULL), "--format", "json");
    assert.equal(JSON.parse(json.stdout).number, PULL);
    const unknown = await server.cli("checks", "99");
    assert.equal(unknown.status, 1);
    assert.match(unknown.stderr, /pulls import/);
  });
});
