import { randomUUID } from "node:crypto";
import { createPaymentLink } from "@collect/contracts";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { expectFit } from "../stack/fit.ts";
import { aMember, cookiesFor } from "../stack/person.ts";
import { sharedStack } from "../stack/shared.ts";

/** The search of the dashboard, by keyboard alone, from what a payer did to the pages of a merchant. */

const stack = await sharedStack();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

const FIELD = "Search records, pages and actions";

/** A customer who paid, an order with metadata, and a link. */
async function aShop() {
  const merchant = await stack.createMerchant({ name: "Ada Stores" });
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  await api.post("/customer_accounts", { customer_reference: "cust_7", customer_name: "Ngozi Adaeze Eze" });
  const paid = await api.post("/customer_accounts/cust_7/simulate_payment", { outcome: "paid", amount: 2_500.73 });
  const session = await api.post("/payments", { amount: 9_000, reference: "order-11", metadata: { branch: "Yaba" } });
  const scope = { id: merchant.id, name: merchant.name, mode: "test" as const };
  await stack.bus.request(createPaymentLink, { merchant: scope, key: randomUUID(), title: "Spring school fees" });
  return { merchant, collection: paid.body.reference, session: session.body.reference };
}

/** More than any search here finds. */
const OPTIONS_MAX = 30;

/** The palette as hands on a keyboard use it. */
function paletteOf(page: Page) {
  const field = page.getByRole("combobox", { name: FIELD });
  return {
    field,
    active: page.getByRole("option", { selected: true }),
    async find(text: string, group: string) {
      await page.keyboard.press("Control+k");
      // Not the page's keyboard: a record that has just been opened takes the focus once it is shown.
      await field.pressSequentially(text);
      const options = page.locator("[role=listbox][aria-busy=false]").getByRole("group", { name: group });
      await options.waitFor();
      const chosen = options.getByRole("option", { selected: true });
      for (let moves = 0; moves < OPTIONS_MAX && (await chosen.count()) === 0; moves++) await field.press("ArrowDown");
    },
    async choose(place: string) {
      await field.press("Enter");
      await page.waitForURL((url) => url.href.startsWith(place));
      await field.waitFor({ state: "detached" });
    },
  };
}

const hasFocus = (page: Page, field: Locator) => expect.poll(() => field.and(page.locator(":focus")).count()).toBe(1);

test("a person finds money, people and acts by keyboard, and loses nothing that was open", async () => {
  const { merchant, collection, session } = await aShop();
  const person = await aMember(stack, merchant.id, "owner");
  const { page, faults, close } = await openPage(browser);
  await page.context().addCookies(cookiesFor(stack, person));
  const home = `${stack.dashboardUrl}/m/${merchant.id}/test`;
  const { field, active, find, choose } = paletteOf(page);

  await page.goto(`${home}/customers`);
  await page.getByRole("row", { name: /Ngozi/ }).waitFor();
  await find("2500", "Collections");
  expect(await active.textContent()).toContain("₦2,500.73");
  await expectFit(page);
  await choose(`${home}/collections/${collection}`);
  for (const [text, group, place] of [
    ["adaeze", "Customers", "customers/cust_7"],
    ["order-1", "Sessions", `sessions/${session}`],
    ["school", "Links", "links/"],
    ["yaba", "Sessions", `sessions/${session}`],
  ] as const) {
    await find(text, group);
    await choose(`${home}/${place}`);
  }

  await find("create a l", "Actions");
  await choose(`${home}/links#create`);
  const title = page.getByRole("dialog", { name: "Create link" }).getByRole("textbox", { name: "Title" });
  await title.fill("Half a tit");
  await page.keyboard.press("Control+k");
  await hasFocus(page, field);
  await page.keyboard.press("Escape");
  await hasFocus(page, title);
  await page.keyboard.type("le");
  expect(await title.inputValue()).toBe("Half a title");
  await page.keyboard.press("Escape");
  await title.waitFor({ state: "detached" });

  await find("switch", "Actions");
  await choose(`${stack.dashboardUrl}/m/${merchant.id}/live/links`);
  // The other mode is another frame around the page, with a search of its own.
  await page.getByText("Live mode", { exact: true }).waitFor();
  await find("ngozi", "Look up");
  expect(await page.getByRole("group", { name: "Customers" }).count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test("on a phone, in the dark, the search is as wide as the page and can be closed by touch", async () => {
  const merchant = await stack.createMerchant({ name: "Ada Stores" });
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  await api.post("/customer_accounts", {
    customer_reference: "c".repeat(80),
    customer_name: "يوسف 🌸 Oluwaseun Adebayo",
  });
  const person = await aMember(stack, merchant.id, "viewer");
  const { page, faults, close } = await openPage(browser, {
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
    hasTouch: true,
  });
  await page.context().addCookies(cookiesFor(stack, person));
  const field = page.getByRole("combobox", { name: FIELD });
  await page.goto(`${stack.dashboardUrl}/m/${merchant.id}/test/customers`);
  await page.getByRole("button", { name: "Search or go to" }).tap();
  await field.fill("olu");
  await page.getByRole("group", { name: "Customers" }).waitFor();
  await expectFit(page);
  // A viewer is offered nothing that would be refused.
  await field.fill("create");
  await page.getByRole("group", { name: "Look up" }).waitFor();
  expect(await page.getByRole("group", { name: "Actions" }).count()).toBe(0);
  await page.getByRole("button", { name: "Close" }).tap();
  await field.waitFor({ state: "detached" });
  expect(faults).toEqual([]);
  await close();
});

/** A text for each list, and what of the shop it finds there. */
const IN_LISTS: [list: string, text: string, found: string][] = [
  ["collections", "2500", "₦2,500.73"],
  ["customers", "eze", "Ngozi Adaeze Eze"],
  ["sessions", "Yaba", "₦9,000"],
  ["links", "school", "Spring school fees"],
];

test("the field of a list narrows it to what the search finds of its kind", async () => {
  const { merchant } = await aShop();
  const { page, faults, close } = await openPage(browser);
  await page.context().addCookies(cookiesFor(stack, await aMember(stack, merchant.id, "owner")));
  for (const [list, text, found] of IN_LISTS) {
    await page.goto(`${stack.dashboardUrl}/m/${merchant.id}/test/${list}`);
    const field = page.getByRole("textbox", { name: "Search" });
    await field.fill("nothing like this");
    await field.press("Enter");
    await page.getByText("No results match these filters.").waitFor();
    await field.fill(text);
    await field.press("Enter");
    await page.getByRole("table").getByText(found).first().waitFor();
  }
  expect(faults).toEqual([]);
  await close();
});
