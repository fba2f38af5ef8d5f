import { accessSync, constants, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { packagedBrowser } from "./packaged-browser.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
/** No traffic leaves the machine, and it also works as root. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The installed browser; the packaged one if there is none or with `BROWSER=packaged`. */
export async function launchBrowser(): Promise<Browser> {
  const installed = process.env.BROWSER === "packaged" ? undefined : installedBrowser();
  return chromium.launch({ ...(installed ? { executablePath: installed } : await packagedBrowser()), args: ARGUMENTS });
}

function installedBrowser(): string | undefined {
  const candidates = (process.env.PATH ?? "").split(":").flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** A page in its own context, and the faults found on it so far, none of which is acceptable. */
export type Watched = { page: Page; faults: string[]; close(): Promise<void> };

/** The browser reports refusals as console errors: `expected` lists the statuses that a test provokes. */
export async function openPage(
  browser: Browser,
  { expected = [], ...options }: BrowserContextOptions & { expected?: number[] } = {},
): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  watch(page, faults, expected);
  context.on("page", (opened) => opened !== page && watch(opened, faults, expected));
  return { page, faults, close: () => context.close() };
}

function watch(page: Page, faults: string[], expected: number[]): void {
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    const status = Number(/status of (\d{3})/.exec(message.text())?.[1]);
    if (!expected.includes(status)) faults.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isOurs = protocol === "data:" || protocol === "blob:" || /^(127\.0\.0\.1|localhost)$/.test(hostname);
    if (!isOurs) faults.push(`a request left the machine: ${request.url()}`);
  });
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The serious and critical findings of axe under WCAG 2.2 AA, a line each. It runs outside the page's content security policy. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await settled(page);
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource);
  return page.evaluate<string[]>(`
    axe.run(document, { resultTypes: ["violations"], runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] } })
      .then(({ violations }) => violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html.slice(0, 160) + " (" + failureSummary.slice(0, 200) + ")").join(" | ")))`);
}

/** Two frames and every transition later: until then a page shows colors between those of two themes. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
    Promise.allSettled(document.getAnimations()
      .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
      .map((animation) => animation.finished)))`);
}

/** The horizontal scroll range of the page itself, in pixels. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}

/** How far anything on the page has moved by itself since it was loaded, as the browser scores it. */
export function movement(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((done) => {
    let sum = 0;
    const add = ({ hadRecentInput, value }) => { if (!hadRecentInput) sum += value; };
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(add));
    observer.observe({ type: "layout-shift", buffered: true });
    const finish = () => { observer.takeRecords().forEach(add); done(sum); };
    requestAnimationFrame(() => requestAnimationFrame(finish));
  })`);
}

/** The rows of a CSV file, by column, that a press downloads. None of its values contains a comma. */
export async function downloadedRows(page: Page, press: () => Promise<void>): Promise<Record<string, string>[]> {
  const [file] = await Promise.all([page.waitForEvent("download"), press()]);
  const [header = "", ...rows] = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  const names = header.replace("\ufeff", "").split(",");
  return rows.map((row) => Object.fromEntries(row.split(",").map((cell, place) => [names[place] ?? "", cell])));
}
