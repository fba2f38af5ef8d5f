import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { downloadedRows, launchBrowser, openPage, seriousFindings, sidewaysScroll } from "../stack/browser.ts";
import { aBusyShop } from "../stack/busy-shop.ts";
import { aMember, cookiesFor } from "../stack/person.ts";
import { startStack } from "../stack.ts";

/** Every page of the dashboard, empty and with records, and the documentation: accessible, without errors, and without horizontal scrolling. */

const stack = await startStack();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

const PATHS = [
  "",
  "inbox",
  "get-started",
  "collections",
  "customers",
  "payers",
  "sessions",
  "links",
  "transfers",
  "transfers/bulk",
  "settlements",
  "statements",
  "developers/keys",
  "developers/webhook",
  "developers/deliveries",
  "developers/events",
  "developers/requests",
  "developers/verifier",
  "settings/business",
  "developers/sandbox",
  "settings/verification",
  "settings/team",
  "settings/fees",
  "settings/security",
  "settings/mail",
  "settings/audit",
];
const LOOKS = [
  { viewport: { width: 1_280, height: 900 }, colorScheme: "light" },
  { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
] as const;

async function settled(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  const waiting = page.locator(".mantine-Skeleton-root, .mantine-Loader-root");
  await expect.poll(() => waiting.count(), { timeout: 15_000 }).toBe(0);
}

const shops: Record<string, () => Promise<{ id: string; places: string[] }>> = {
  async empty() {
    const { id } = await stack.createMerchant({ name: "Bare Stores", webhook: null });
    return { id, places: PATHS };
  },
  async busy() {
    const { id, records } = await aBusyShop(stack);
    return { id, places: [...PATHS, ...records] };
  },
};

/** Each page is loaded in one look, and then takes the other: of the two shops, one begins wide and one narrow. */
test.each([
  { shop: "empty", looks: LOOKS },
  { shop: "busy", looks: LOOKS.toReversed() },
])(
  "of a shop that is $shop, at both widths, light and dark",
  async ({ shop, looks }) => {
    const { id, places } = (await shops[shop]?.()) ?? { id: "", places: [] };
    const { page, faults, close } = await openPage(browser);
    await page.context().addCookies(cookiesFor(stack, await aMember(stack, id, "owner")));
    const findings: string[] = [];
    for (const place of places)
      for (const [turn, { viewport, colorScheme }] of looks.entries()) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        if (turn === 0) await page.goto(`${stack.dashboardUrl}/m/${id}/test/${place}`);
        await settled(page);
        const found = await seriousFindings(page);
        if ((await sidewaysScroll(page)) > 0) found.push("scrolls sideways");
        findings.push(...[...found, ...faults.splice(0)].map((each) => `${place} at ${viewport.width} px: ${each}`));
      }
    expect(findings).toEqual([]);
    await close();
  },
  240_000,
);

/** A collection of the busy shop's beside its list on a wide screen, and the filters of the list, in a sheet on a narrow one. */
test.each(LOOKS)("a record beside its list, and the filters, at $viewport.width px, $colorScheme", async (look) => {
  const { id } = await aBusyShop(stack);
  const { page, faults, close } = await openPage(browser, look);
  await page.context().addCookies(cookiesFor(stack, await aMember(stack, id, "owner")));
  await page.goto(`${stack.dashboardUrl}/m/${id}/test/collections`);
  const isWide = look.viewport.width === 1_280;
  const findings: string[] = [];
  const inspect = async (place: string) => {
    await settled(page);
    findings.push(...(await seriousFindings(page)).map((finding) => `${place}: ${finding}`));
    if ((await sidewaysScroll(page)) > 0) findings.push(`${place}: scrolls sideways`);
  };

  await page.getByRole("link", { name: "₦999,999,999.99" }).click();
  const record = page.getByRole("region", { name: /^Collection / });
  await record.getByText("Posted to the ledger").waitFor();
  await expect.poll(() => page.getByRole("table", { name: "Collections" }).isVisible()).toBe(isWide);
  await inspect("record");
  await page.keyboard.press("k");
  await record
    .getByText(/^₦2,500/)
    .first()
    .waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.evaluate<string>("document.activeElement.textContent")).toMatch(/^₦2,500/);

  if (!isWide) await page.getByRole("button", { name: "Filters" }).click();
  else await page.getByRole("button", { name: "Amount", exact: true }).click();
  await page.getByRole("textbox", { name: "From", exact: true }).fill("2,000");
  await page.getByRole("textbox", { name: "To", exact: true }).fill("3,000");
  await inspect("filters");
  await page.getByRole("button", { name: isWide ? "Apply" : "Show results" }).click();
  await page.waitForURL(/amount_from=2000&amount_to=3000$/);
  await page.getByText("1 collection: ₦2,500").waitFor();
  await page.getByLabel(/^Select pay_/).check();
  await page.getByRole("button", { name: "Export 1" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Excel (XLSX)" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^collections-test-.*\.xlsx$/);
  await page.getByRole("button", { name: "Resend…" }).click();
  await inspect("an act on what is selected");
  await page.getByRole("button", { name: "Resend event" }).click();
  await page.getByText("1 of 1 sent again.").waitFor();
  await inspect("what became of it");
  expect([...findings, ...faults]).toEqual([]);
  await close();
});

test("a month's statement and journal are downloaded, add up, and end with the balance", async () => {
  const { id } = await aBusyShop(stack);
  const owner = await aMember(stack, id, "owner");
  const { page, faults, close } = await openPage(browser, {});
  await page.context().addCookies(cookiesFor(stack, owner));
  await page.goto(`${stack.dashboardUrl}/m/${id}/test/statements`);
  const download = async (what: string) => {
    await page.getByRole("button", { name: `Download ${what}` }).click();
    return downloadedRows(page, () => page.getByRole("menuitem", { name: "CSV" }).click());
  };
  const { body: balance } = await owner.call("GET", `/api/m/${id}/test/balance`);
  const statement = await download("statement");
  expect(statement.map(({ description }) => description)).toEqual([
    "Opening balance",
    "Payment received",
    "Payment received",
    "Settlement",
    "Transfer ordered",
    "Closing balance",
  ]);
  expect(statement[1]?.reference).toMatch(/^col_/);
  const { collected_balance, settled_balance } = statement.at(-1) ?? {};
  expect([Number(collected_balance), Number(settled_balance)]).toEqual([balance.collected, balance.settled]);
  const journal = await download("journal");
  const kobo = (side: "debit" | "credit") => journal.reduce((sum, row) => sum + Math.round(Number(row[side]) * 100), 0);
  expect([kobo("debit") > 0, kobo("debit")]).toEqual([true, kobo("credit")]);
  expect(faults).toEqual([]);
  await close();
});

test("the sign-in, sign-up and not-found pages are accessible and without errors, too", async () => {
  const { page, faults, close } = await openPage(browser, { expected: [401, 404] });
  for (const place of ["/sign-in", "/sign-up", "/sign-in/link/unknown", "/invitation/unknown", "/nothing/here"]) {
    await page.goto(`${stack.dashboardUrl}${place}`);
    await settled(page);
    expect(await seriousFindings(page), place).toEqual([]);
  }
  expect(faults).toEqual([]);
  await close();
});

/** Of each kind of page one that is long. */
const DOCUMENTATION = ["", "/guides/webhooks", "/guides/checkout-js", "/reference", "/reference/payments", "/errors"];
const site = new URL("/docs", stack.baseUrl).href;

test.each(LOOKS)("the documentation at $viewport.width px, $colorScheme", async (look) => {
  const { page, faults, close } = await openPage(browser, look);
  const findings: string[] = [];
  for (const path of DOCUMENTATION) {
    await page.goto(`${site}${path}`);
    findings.push(...(await seriousFindings(page)).map((finding) => `${path}: ${finding}`));
    if ((await sidewaysScroll(page)) > 0) findings.push(`${path}: scrolls sideways`);
  }
  await page.getByRole("searchbox").fill("insufficient_balance");
  const found = page.getByRole("search").getByRole("link", { name: "insufficient_balance", exact: true });
  await found.first().click();
  await page.waitForURL(`${site}/errors/insufficient_balance`);
  expect([...findings, ...faults]).toEqual([]);
  await close();
});

test("the documentation can be read, and its menu used, without JavaScript", async () => {
  const { page, close } = await openPage(browser, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await page.goto(site);
  await page.getByRole("link", { name: "Menu" }).click();
  await page
    .getByRole("navigation", { name: "Documentation" })
    .getByRole("link", { name: "Webhooks done right" })
    .click();
  await page.getByRole("heading", { name: "Webhooks done right", level: 1 }).waitFor();
  expect(await page.getByRole("searchbox").count()).toBe(0);
  await close();
});
