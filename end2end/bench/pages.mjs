// A run's page in Chromium, against the speeds we want to reach: cold and warm, on a desktop and on a slow phone.
//
//   npm run bench --prefix end2end

import { launch, hydrated } from "../lib/browser.mjs";
import { startServer } from "../lib/server.mjs";

const RUN = "41261902147";
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 };
const rows = [];
const row = (what, reach, measured, unit, digits = 0) =>
  rows.push({ what, reach: `${reach} ${unit}`, measured: `${measured.toFixed(digits)} ${unit}`, "": measured <= reach ? "reached" : "MISSED" });
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function paint(page) {
  return page.evaluate(
    () =>
      new Promise((settle) => {
        const seen = { lcp: 0, shift: 0 };
        new PerformanceObserver((l) => l.getEntries().forEach((e) => (seen.lcp = e.startTime))).observe({ type: "largest-contentful-paint", buffered: true });
        new PerformanceObserver((l) => l.getEntries().forEach((e) => (seen.shift += e.value))).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => settle(seen), 400);
      }),
  );
}

const server = await startServer({ sample: true });
const browser = await launch();
try {
  const url = `${server.url}/runs/${RUN}`;
  await fetch(url);
  const desktop = [];
  let shift = 0;
  for (let i = 0; i < 5; i++) {
    const page = await browser.open(url);
    await page.waitForLoadState("load");
    const seen = await paint(page);
    desktop.push(seen.lcp);
    shift = Math.max(shift, seen.shift);
    await page.done();
  }
  row("largest contentful paint, desktop", 200, median(desktop), "ms");

  const phone = [];
  for (let i = 0; i < 3; i++) {
    const page = await browser.open("about:blank", { device: "phone" });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", SLOW_4G);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.goto(url);
    const seen = await paint(page);
    phone.push(seen.lcp);
    shift = Math.max(shift, seen.shift);
    await page.done();
  }
  row("largest contentful paint, slow 4G and a quarter of the CPU", 1000, median(phone), "ms");
  row("layout shift", 0, shift, "", 3);

  const page = await browser.open("about:blank");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  const sizes = new Map();
  const names = new Map();
  devtools.on("Network.responseReceived", ({ requestId, response }) => names.set(requestId, response.url));
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => sizes.set(names.get(requestId), encodedDataLength));
  await page.goto(url);
  await hydrated(page);
  await page.locator('#chart [data-drawn="plotly"]').waitFor({ state: "attached" });
  const kb = (pick) => [...sizes].filter(([name]) => pick(name ?? "")).reduce((sum, [, size]) => sum + size, 0) / 1000;
  row("bytes to the first meaningful chart: page and style", 60, kb((n) => n.includes("/runs/") || n.endsWith(".css")), "kB", 1);
  row("first-party wasm", 45, kb((n) => n.endsWith(".wasm")), "kB", 1);
  row("everything with plotly", 450, kb(() => true), "kB", 1);

  const changes = [];
  const x = page.locator('#chart-controls select[name="x"]');
  for (let i = 0; i < 20; i++) {
    const to = i % 2 ? "p90_e2el" : "p75_e2el";
    const took = await x.evaluate(
      (select, value) =>
        new Promise((settle) => {
          const started = performance.now();
          const seen = new MutationObserver(() => requestAnimationFrame(() => { seen.disconnect(); settle(performance.now() - started); }));
          seen.observe(document.body, { childList: true, subtree: true, characterData: true });
          select.value = value;
          select.dispatchEvent(new Event("change", { bubbles: true }));
        }),
      to,
    );
    changes.push(took);
  }
  row("axis change, 8 points, p95", 50, changes.toSorted((a, b) => a - b)[18], "ms", 1);
  await page.done();
} finally {
  await browser.close();
  await server.stop();
}
console.table(rows);
