import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { seriousFindings, sidewaysScroll } from "./browser.ts";

/** Whether a page fits: nothing serious for axe, and no horizontal scroll, from the narrowest phone to a wide desk. */

/** How long a page that does not fit is given to fit. */
const SETTLE_MS = 2_000;
const WIDTHS = [320, 390, 820, 1_280, 1_920];

export type Look = { width: number; colorScheme: "light" | "dark" };

/** Every width in both themes. */
const ALL_LOOKS: Look[] = WIDTHS.flatMap((width) => [
  { width, colorScheme: "light" },
  { width, colorScheme: "dark" },
]);
const isNarrow = ({ width }: Look) => width === WIDTHS[0];
const isWide = ({ width }: Look) => width === WIDTHS.at(-1);
const looksAt = (wanted: (look: Look) => boolean) =>
  process.env.LOOKS === "all" ? ALL_LOOKS : ALL_LOOKS.filter(wanted);

/** Both extremes, a theme each: colors do not depend on the width. With `LOOKS=all` every look instead. */
export const EXTREMES = looksAt((look) =>
  isNarrow(look) ? look.colorScheme === "dark" : isWide(look) && look.colorScheme === "light",
);
/** Both extremes in the other theme each. */
export const OTHER_EXTREMES = looksAt((look) =>
  isNarrow(look) ? look.colorScheme === "light" : isWide(look) && look.colorScheme === "dark",
);

/** The page as it is now has no serious finding of axe in these looks, and does not scroll sideways at any width. */
export async function expectFit(page: Page, looks?: Look[]): Promise<void> {
  expect(await unfit(page, looks), page.url()).toEqual([]);
}

/** What does not fit, a line each. The page is resized and not loaded again, and is left as it was. */
export async function unfit(page: Page, looks: Look[] = EXTREMES): Promise<string[]> {
  const found: string[] = [];
  const viewport = page.viewportSize();
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await loaded(page);
    const scroll = await settledScroll(page);
    if (scroll > 0) found.push(`${width} px: scrolls sideways by ${scroll} px`);
    for (const { colorScheme } of looks.filter((look) => look.width === width)) {
      await page.emulateMedia({ colorScheme });
      const findings = await seriousFindings(page);
      found.push(...findings.map((finding) => `${width} px ${colorScheme}: ${finding}`));
    }
  }
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
  await loaded(page);
  return found;
}

/** What remains of the horizontal scroll once the page has followed its new width: an open list moves a moment later. */
async function settledScroll(page: Page): Promise<number> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const scroll = await sidewaysScroll(page);
    if (scroll === 0 || performance.now() > end) return scroll;
    await sleep(20);
  }
}

/** Once nothing on the page is a placeholder anymore. */
export async function loaded(page: Page): Promise<void> {
  const waiting = page.locator(".mantine-Skeleton-root, .mantine-Loader-root");
  await expect.poll(() => waiting.count()).toBe(0);
}
