import { runSettlement } from "@collect/contracts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { aMember, cookiesFor, type Person } from "../stack/person.ts";
import { sharedStack } from "../stack/shared.ts";
import type { TestMerchant } from "../stack.ts";

/** What all pages of the dashboard have in common: the frame, the keyboard, targets for fingers, and the clock. */

const stack = await sharedStack();
let browser: Browser;
let merchant: TestMerchant;
let person: Person;
let reference: string;
beforeAll(async () => {
  browser = await launchBrowser();
  merchant = await stack.createMerchant({ name: "Ada Stores" });
  person = await aMember(stack, merchant.id, "owner");
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  await api.post("/customer_accounts", { customer_reference: "cust_1", customer_name: "Chidi Okafor" });
  const paid = await api.post("/customer_accounts/cust_1/simulate_payment", { outcome: "paid", amount: 2_500 });
  reference = String(paid.body.reference);
  await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "test" } });
});
afterAll(async () => {
  await browser.close();
});

async function open(path: string, options: Parameters<typeof openPage>[1] = {}) {
  const watched = await openPage(browser, { ...options, expected: [403] });
  await watched.page.context().addCookies(cookiesFor(stack, person));
  await goTo(watched.page, path);
  return watched;
}

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(`${stack.dashboardUrl}/m/${merchant.id}/${path}`);
  await page.locator("h1").first().waitFor();
  await expect
    .poll(() => page.locator(".mantine-Skeleton-root, .mantine-Loader-root").count(), { timeout: 15_000 })
    .toBe(0);
}

test("the first key of the keyboard leads past the navigation, with the focus visible", async () => {
  const { page, close } = await open("test");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  expect(await skip.evaluate((link) => link.matches(":focus-visible"))).toBe(true);
  expect(await skip.evaluate((link) => link.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.activeElement.id")).toBe("main");
  await close();
});

test.each([390, 1_280])("at %i px both modes are named, and nothing moves between them", async (width) => {
  const { page, close } = await open("test", { viewport: { width, height: 844 } });
  const frame = () =>
    page.evaluate<number[]>(
      `["header", "main", "[aria-label='Mode']"].flatMap((each) => {
        const { top, left, width } = document.querySelector(each).getBoundingClientRect();
        return [top, left, width];
      })`,
    );
  await page.getByText("Test mode", { exact: true }).waitFor();
  const inTest = await frame();
  await page.getByRole("radiogroup", { name: "Mode" }).getByText("Live").click();
  await page.getByText("Live mode", { exact: true }).waitFor();
  expect(await frame()).toEqual(inTest);
  await close();
});

/** What a finger presses and is smaller than 44 px. A link in a sentence is as high as its line. */
const SMALL = `[...document.querySelectorAll("button, input:not([type=radio], [type=checkbox]), select, nav a")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.getBoundingClientRect().width > 1)
  .filter((each) => each.getBoundingClientRect().height < 43.5)
  .map((each) => each.outerHTML.slice(0, 120))`;

test("on a phone every button and field is 44 px high, and the tab that is open is in sight", async () => {
  const { page, close } = await open("test", { viewport: { width: 390, height: 844 } });
  const small: string[] = [];
  for (const path of ["test", "test/collections", "test/developers/keys", "test/settings/security"]) {
    await goTo(page, path);
    small.push(...(await page.evaluate<string[]>(SMALL)));
  }
  const tab = await page.getByRole("tab", { name: "Security", selected: true }).boundingBox();
  expect([tab && tab.x >= 0, tab && tab.x + tab.width <= 390]).toEqual([true, true]);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  small.push(...(await page.evaluate<string[]>(SMALL)));
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
  small.push(...(await page.evaluate<string[]>(SMALL)));
  expect(small).toEqual([]);
  await close();
});

const EXACT = /\d{1,2} \w{3} \d{4}, \d{2}:\d{2}(:\d{2})?[^\n]{0,5}/g;

test("in New York every time is Lagos time and says so, with New York's on hover", async () => {
  const texts: string[][] = [];
  for (const timezoneId of ["Africa/Lagos", "America/New_York"]) {
    const { page, close } = await open("test", { timezoneId });
    const found: string[] = [];
    for (const path of ["test", "test/settlements", `test/collections/${reference}`]) {
      await goTo(page, path);
      await page.waitForLoadState("networkidle");
      const text = await page.evaluate<string>("document.body.innerText");
      found.push(...(text.match(EXACT) ?? []), ...(text.match(/\w{3} \d{1,2} \w{3} \d\d:\d\d[^\n]{0,4}/g) ?? []));
    }
    const hover = await page.locator("time[title]").first().getAttribute("title");
    expect(hover).toMatch(
      timezoneId === "Africa/Lagos" ? / WAT$/ : / WAT\n.* in your time zone \(America\/New_York\)$/,
    );
    texts.push(found);
    await close();
  }
  const [lagos = [], newYork = []] = texts;
  expect(lagos.length).toBeGreaterThan(3);
  expect(lagos.filter((text) => !text.includes("WAT"))).toEqual([]);
  expect(newYork).toEqual(lagos);
});
