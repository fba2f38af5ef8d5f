import { accessSync, constants, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { packagedBrowser } from "./packaged-browser.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
/** Nothing leaves the machine, and it works as root, too. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The machine's own browser, and the packaged one where there is none or `BROWSER=packaged` asks for it. */
export async function launchBrowser(): Promise<Browser> {
  const installed = process.env.BROWSER === "packaged" ? undefined : installedBrowser();
  return chromium.launch({ ...(installed ? { executablePath: installed } : await packagedBrowser()), args: ARGUMENTS });
}

function installedBrowser(): string | undefined {
  const places = (process.env.PATH ?? "").split(":").flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** A page in a profile of its own, and what was wrong on it so far: none of it is ever right. */
export type Watched = { page: Page; faults: string[]; close(): Promise<void> };

/** Refusals that a test provokes on purpose are told by the browser as console errors: `expected` names their statuses. */
export async function openPage(
  browser: Browser,
  { expected = [], ...options }: BrowserContextOptions & { expected?: number[] } = {},
): Promise<Watched> {
  // Contrast is judged at rest.
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

/** What axe finds that is serious or worse by WCAG 2.2 AA, a line each. It is run beside the page's own policy, not through it. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate<string[]>(`
    axe.run(document, { runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] } })
      .then(({ violations }) => violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html.slice(0, 160) + " (" + failureSummary.slice(0, 200) + ")").join(" | ")))`);
}

/** By how many pixels the page itself, not something in it, can be scrolled sideways. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}
