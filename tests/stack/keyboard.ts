import { until } from "@collect/testing";
import type { Locator, Page } from "playwright-core";

const STOPS_MAX = 100;

/** Goes to a control with the Tab key alone, once it can be used, and presses it there. */
export async function pressByKeyboard(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** Throws if the Tab key does not reach it, or it does not show the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await until(`${target} can be used`, async () => (await target.isVisible()) && (await target.isEnabled()));
  for (let stop = 0; !(await target.evaluate((element) => element.matches(":focus"))); stop++) {
    if (stop === STOPS_MAX) throw new Error(`${target} is not reached by the Tab key`);
    await page.keyboard.press("Tab");
  }
  if (!(await page.evaluate<boolean>(FOCUS_IS_VISIBLE)))
    throw new Error(`${target} does not show that it has the focus`);
}

/**
 * By an outline of the element or, where it covers a whole row, of what is drawn over that; a field of text by its border,
 * too.
 */
const FOCUS_IS_VISIBLE = `["", "::after"].some((part) => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement, part);
  return outlineStyle !== "none" && outlineWidth !== "0px";
})`;
