import type { Page } from "playwright-core";
import { expect } from "vitest";
import { seriousFindings, sidewaysScroll } from "./browser.ts";

/** The page as it is now has no serious finding of axe and does not scroll sideways, on a desktop in light and on a phone in dark. */
export async function expectFit(page: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of [
    [1_280, "light"],
    [390, "dark"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect([name, width, await seriousFindings(page), await sidewaysScroll(page)]).toEqual([name, width, [], 0]);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1_280, height: 900 });
}
