import type { Locator, Page } from "playwright-core";

const STOPS_MAX = 100;

/** Goes to a control with the Tab key alone and presses it there; throws if it is not reached, or does not show the focus. */
export async function pressByKeyboard(page: Page, target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
  await target.waitFor();
  for (let stop = 0; !(await target.evaluate((element) => element.matches(":focus"))); stop++) {
    if (stop === STOPS_MAX) throw new Error(`${target} is not reached by the Tab key`);
    await page.keyboard.press("Tab");
  }
  if (!(await target.evaluate(showsFocus))) throw new Error(`${target} does not show that it has the focus`);
  await page.keyboard.press(key);
}

/** An outline or a shadow, of the element or, where it covers a row, of what it draws over it. */
const showsFocus = `(element) => ["", "::after"].some((part) => {
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element, part || null);
  return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
})`;
