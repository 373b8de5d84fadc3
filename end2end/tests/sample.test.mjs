// What people do with the sample: shared links, no JavaScript, phone, keyboard, chart.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { axe, hydrated, launch } from "../lib/browser.mjs";
import { startServer } from "../lib/server.mjs";

const RUN = "41261902147";
const OLDER = "40809149952";
const SYNTHETIC = "9000000000001";
let server, browser;

before(async () => {
  server = await startServer({ sample: true });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

// A page that is answered with 404 or 410 shows up in the console as a failed load of itself.
const NOT_OK = [/status of 4\d\d/];

describe("shared links", () => {
  test("one good and one unknown id: the good one shows, a banner names the other", async () => {
    const page = await browser.open(`${server.url}/inference?unofficialRun=${RUN},123456789`);
    assert.equal(page.response.status(), 200);
    const text = await page.locator("main").innerText();
    assert.match(text, /UNOFFICIAL/);
    assert.match(text, /123456789/);
    assert.match(text, /never ingested/);
    assert.match(text, /TP2\/EP2\/DPA c160/);
    assert.ok((await page.getByRole("link", { name: new RegExp(RUN) }).count()) > 0);
    await page.done();
  });

  for (const name of ["unofficialrun", "UnofficialRuns", "UNOFFICIALRUN"]) {
    test(`${name} is the same parameter`, async () => {
      const page = await browser.open(`${server.url}/evaluation?${name}=${RUN}`);
      assert.match(await page.locator("main").innerText(), /0\.9757/);
      await page.done();
    });
  }

  test("none known is 404, in words", async () => {
    const page = await browser.open(`${server.url}/inference?unofficialRun=123456789`, { expectErrors: NOT_OK });
    assert.equal(page.response.status(), 404);
    assert.match(await page.locator("main").innerText(), /paretoscope ingest/);
    await page.done();
  });

  test("what is no id is said to be none", async () => {
    const page = await browser.open(`${server.url}/inference?unofficialRun=${RUN},abc`);
    assert.equal(page.response.status(), 200);
    assert.match(await page.locator("main").innerText(), /abc[\s\S]*not a run id/);
    await page.done();
  });

  test("two runs lie over each other", async () => {
    const page = await browser.open(`${server.url}/inference?unofficialRun=${RUN},${OLDER}`);
    const text = await page.locator("main").innerText();
    assert.match(text, new RegExp(OLDER));
    assert.match(text, new RegExp(RUN));
    await page.done();
  });

  test("parameters of the dashboard people come from are kept and understood", async () => {
    const page = await browser.open(`${server.url}/inference?unofficialRun=${RUN}&i_xmode=e2e&i_pctl=p75&i_hc=1`);
    assert.match(await page.locator("#chart").innerText(), /P75 E2EL/);
    await page.done();
  });
});

describe("without JavaScript", () => {
  test("the run page is whole", async () => {
    const page = await browser.open(`${server.url}/runs/${RUN}`, { javaScript: false });
    assert.equal(await page.locator("#points tbody tr[data-point]").count(), 8);
    assert.ok(await page.locator("#chart svg").first().isVisible());
    const text = await page.locator("main").innerText();
    for (const word of [/0\.9757/, /0\.0068/, /0\.0128/, /not read yet/, /DatasetLoaderError/, /sha256:d4b7701d/]) assert.match(text, word);
    await page.done();
  });

  test("the chart's form opens the view it asks for", async () => {
    const page = await browser.open(`${server.url}/runs/${RUN}`, { javaScript: false });
    await page.locator('#chart-controls select[name="x"]').selectOption("p75_e2el");
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL("**x=p75_e2el**");
    assert.match(await page.locator("main").innerText(), /dominated by TP4 c4/);
    await page.done();
  });
});

describe("chart", () => {
  test("a choice swaps the chart and its table, holds the address, and Back undoes it", async () => {
    const page = await browser.open(`${server.url}/runs/${RUN}`);
    await hydrated(page);
    const marks = page.locator("#points tbody td.mark");
    assert.match(await marks.nth(1).innerText(), /dominated by TP4 c16/);
    await page.locator('#chart-controls select[name="x"]').selectOption("p75_e2el");
    await page.waitForURL("**x=p75_e2el**");
    await page.locator("#points tbody td.mark", { hasText: "dominated by TP4 c4" }).waitFor();
    await page.goBack();
    await page.locator("#points tbody td.mark", { hasText: "dominated by TP4 c16" }).waitFor();
    assert.equal(new URL(page.url()).search, "");
    assert.equal(await page.locator('#chart-controls select[name="x"]').inputValue(), "p90_e2el");
    await page.goForward();
    await page.locator("#points tbody td.mark", { hasText: "dominated by TP4 c4" }).waitFor();
    await page.reload();
    await page.locator("#points tbody td.mark", { hasText: "dominated by TP4 c4" }).waitFor();
    await page.done();
  });

  test("axes that the run did not measure are greyed, with the reason", async () => {
    const page = await browser.open(`${server.url}/runs/${RUN}`);
    const option = page.locator('#chart-controls option[value="p90_ttft"]');
    assert.ok(await option.isDisabled());
    assert.match(await option.innerText(), /not in this run/);
    await page.done();
  });

  test("plotly takes over in place: no point moves, nothing shifts", async () => {
    const page = await browser.open(`${server.url}/runs/${RUN}`);
    await hydrated(page);
    await page.locator('#chart [data-drawn="plotly"]').waitFor({ state: "attached" });
    // The server's drawing is hidden then, and still where it was.
    const drawn = await centres(page, "#chart svg.chart-svg.wide .series:not(.baseline) [data-point]");
    const taken = await centres(page, "#chart .plot .point");
    assert.ok(drawn.length >= 8 && taken.length >= 8, `${drawn.length} drawn, ${taken.length} by plotly`);
    for (const [x, y] of drawn) {
      const nearest = Math.min(...taken.map(([a, b]) => Math.hypot(a - x, b - y)));
      assert.ok(nearest < 2, `the point at ${x},${y} moved by ${nearest}`);
    }
    const shift = await page.evaluate(
      () =>
        new Promise((settle) => {
          let sum = 0;
          new PerformanceObserver((list) => list.getEntries().forEach((e) => (sum += e.value))).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => settle(sum), 200);
        }),
    );
    assert.equal(shift, 0, "layout shift");
    await page.done();
  });
});

async function centres(page, selector) {
  return page.locator(selector).evaluateAll((nodes) =>
    nodes.map((node) => {
      const box = (node.querySelector("[data-mark], circle, path, rect, polygon") ?? node).getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    }),
  );
}

describe("keyboard only", () => {
  test("skip link, then the table's points can be reached and opened", async () => {
    const page = await browser.open(`${server.url}/runs/${RUN}`);
    await hydrated(page);
    await page.keyboard.press("Tab");
    assert.match(await page.locator(":focus").innerText(), /skip/i);
    await page.keyboard.press("Enter");
    assert.match(page.url(), /#main$/);
    const link = page.locator("#points tbody").getByRole("link", { name: "TP4 c16", exact: true });
    for (let i = 0; i < 60; i++) {
      if (await link.evaluate((node) => node === document.activeElement)) break;
      await page.keyboard.press("Tab");
    }
    assert.ok(await link.evaluate((node) => node === document.activeElement), "the point is reached by Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/points/*");
    await page.done();
  });

  test("a table sorts by a header's button", async () => {
    const page = await browser.open(`${server.url}/runs/${RUN}`);
    await hydrated(page);
    const header = page.locator("#points th", { hasText: "tok/s/GPU" }).first();
    await header.getByRole("button").focus();
    await page.keyboard.press("Enter");
    assert.match(await header.getAttribute("aria-sort"), /ascending|descending/);
    await page.done();
  });
});

describe("phone", () => {
  for (const path of ["/", "/runs", `/runs/${RUN}`, `/inference?unofficialRun=${RUN}`, `/evaluation?unofficialRun=${RUN}`]) {
    test(`${path} fits 390 px`, async () => {
      const page = await browser.open(server.url + path, { device: "phone" });
      const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(content <= screen, `${content} px wide on a screen of ${screen}`);
      await page.done();
    });
  }
});

describe("accessibility", () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const path of [
      "/",
      "/runs",
      `/runs/${RUN}`,
      `/runs/${SYNTHETIC}`,
      "/inference",
      `/inference?unofficialRun=${RUN},${OLDER},1`,
      `/evaluation?unofficialRun=${RUN}`,
      "/runs/1",
    ]) {
      test(`axe: ${path}, ${colorScheme}`, async () => {
        const page = await browser.open(server.url + path, { colorScheme, expectErrors: NOT_OK });
        await hydrated(page);
        await axe(page);
        await page.done();
      });
    }
    test(`axe: a point, ${colorScheme}`, async () => {
      const page = await browser.open(`${server.url}/runs/${RUN}`, { colorScheme });
      await page.locator("#points tbody a").first().click();
      await page.waitForURL("**/points/*");
      await hydrated(page);
      await axe(page);
      await page.done();
    });
  }
});

describe("honesty", () => {
  test("synthetic sample data says so on every page that shows it", async () => {
    for (const path of [`/runs/${SYNTHETIC}`, `/inference?unofficialRun=${SYNTHETIC}`, `/evaluation?unofficialRun=${SYNTHETIC}`, "/runs", "/"]) {
      const page = await browser.open(server.url + path);
      assert.match(await page.locator("main").innerText(), /synthetic/i, path);
      await page.done();
    }
  });

  test("a run without latency says why there is no frontier", async () => {
    const page = await browser.open(`${server.url}/runs/${OLDER}`);
    const text = await page.locator("main").innerText();
    assert.match(text, /not measured|states no|not in its row/i);
    assert.match(text, /derived/);
    await page.done();
  });

  test("a page that isn't there says what to do", async () => {
    const page = await browser.open(`${server.url}/nowhere`, { expectErrors: NOT_OK });
    assert.equal(page.response.status(), 404);
    assert.ok((await page.getByRole("link").count()) > 2);
    await page.done();
  });
});

test("the theme is chosen, kept and undone", async () => {
  const page = await browser.open(`${server.url}/runs`);
  await hydrated(page);
  const toggle = page.getByRole("button", { name: /theme/i });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme ?? "system");
  const before = await theme();
  await toggle.click();
  const chosen = await theme();
  assert.notEqual(chosen, before);
  await page.reload();
  assert.equal(await theme(), chosen);
  await page.done();
});
