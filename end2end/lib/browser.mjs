// Debian's Chromium through playwright-core.
//
//   const browser = await launch();
//   const page = await browser.open(server.url + "/runs", { device: "phone" });
//   await hydrated(page);
//   await axe(page);                 // fails with the violations in words
//   await page.done();               // closes it; fails on console and page errors
//   await browser.close();
//
// PARETOSCOPE_CHROMIUM names another browser.

import assert from "node:assert/strict";

import { AxeBuilder } from "@axe-core/playwright";
import { chromium } from "playwright-core";

/** The screens that the pages are tested on. */
export const DEVICES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
};

const ARGS = [
  "--no-sandbox", // root, as in CI
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  // The tests' pages are local; nothing else is looked up.
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function launch() {
  const browser = await chromium.launch({
    executablePath: process.env.PARETOSCOPE_CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: ARGS,
  });
  return {
    /**
     * A page in a context of its own.
     *
     * @param {string} url
     * @param {object} [options]
     * @param {keyof DEVICES} [options.device]
     * @param {"light" | "dark"} [options.colorScheme]
     * @param {boolean} [options.javaScript] false: as a reader without JavaScript
     * @param {RegExp[]} [options.expectErrors] console messages that the test is about
     * @param {import("playwright-core").BrowserContextOptions} [options.context] anything else
     */
    async open(url, options = {}) {
      const { device = "desktop", colorScheme = "light", javaScript = true, expectErrors = [], context = {} } = options;
      const home = await browser.newContext({
        ...DEVICES[device],
        colorScheme,
        javaScriptEnabled: javaScript,
        reducedMotion: "reduce",
        locale: "en-GB",
        timezoneId: "UTC",
        ...context,
      });
      const page = await home.newPage();
      page.setDefaultTimeout(15_000);
      const errors = collectErrors(page, expectErrors, javaScript);
      page.errors = errors;
      page.done = async () => {
        await home.close();
        assert.deepEqual(errors, [], `errors in the browser on ${url}`);
      };
      page.response = await page.goto(url);
      return page;
    },
    close: () => browser.close(),
  };
}

function collectErrors(page, expected, javaScript) {
  const errors = [];
  const collect = (text) => {
    if (!expected.some((pattern) => pattern.test(text))) errors.push(text);
  };
  page.on("console", (message) => {
    if (message.type() === "error") collect(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => collect(`page: ${error.stack ?? error}`));
  page.on("requestfailed", (request) => {
    // A navigation that replaces another cancels what is under way.
    const why = request.failure()?.errorText;
    // Without JavaScript, Chromium refuses to fetch scripts and says it was the policy.
    if (why === "csp" && !javaScript) return;
    if (why !== "net::ERR_ABORTED") collect(`request: ${request.url()} ${why}`);
  });
  return errors;
}

/** Waits until the islands of the page answer. */
export async function hydrated(page) {
  await page.locator("html[data-hydrated]").waitFor({ state: "attached" });
}

/**
 * Fails where the page, as it is now, breaks WCAG 2.2 AA or a best practice.
 *
 * @param {import("playwright-core").Page} page
 * @param {object} [options]
 * @param {string[]} [options.exclude] selectors to leave out, such as a third party's drawing
 */
export async function axe(page, { exclude = [] } = {}) {
  const builder = new AxeBuilder({ page }).withTags([
    "wcag2a",
    "wcag2aa",
    "wcag21a",
    "wcag21aa",
    "wcag22aa",
    "best-practice",
  ]);
  for (const selector of exclude) builder.exclude(selector);
  const { violations } = await builder.analyze();
  const inWords = violations.map(({ id, help, nodes }) => {
    const where = nodes.map((node) => `  ${node.target.join(" ")}\n    ${node.failureSummary ?? ""}`);
    return `${id}: ${help}\n${where.join("\n")}`;
  });
  assert.equal(inWords.join("\n"), "", `accessibility of ${page.url()}`);
}
