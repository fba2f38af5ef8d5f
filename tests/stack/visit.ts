import type { Browser, BrowserContextOptions } from "playwright-core";
import { expect } from "vitest";
import { openPage, seriousFindings, sidewaysScroll, type Watched } from "./browser.ts";

type Visit = BrowserContextOptions & { expected?: number[]; work(watched: Watched): Promise<void> };

/** Runs `work` on a page and asserts the invariants: no console errors, no policy reports, no serious axe findings, no horizontal scroll. */
export async function visit(browser: Browser, url: string, { work, ...options }: Visit): Promise<void> {
  const watched = await openPage(browser, options);
  try {
    await watched.page.goto(url);
    await work(watched);
    if (options.javaScriptEnabled !== false) {
      expect(await seriousFindings(watched.page)).toEqual([]);
      expect(await sidewaysScroll(watched.page)).toBe(0);
    }
    expect(watched.faults).toEqual([]);
  } finally {
    await watched.close();
  }
}
