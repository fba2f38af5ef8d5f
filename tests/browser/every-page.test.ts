import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { extractText } from "unpdf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { downloadedRows, launchBrowser, openPage, seriousFindings, sidewaysScroll } from "../stack/browser.ts";
import { aBusyShop } from "../stack/busy-shop.ts";
import { EXTREMES, expectFit, type Look, loaded, OTHER_EXTREMES, unfit } from "../stack/fit.ts";
import { aMember, cookiesFor } from "../stack/person.ts";
import { startStack } from "../stack.ts";

/** Every page of the dashboard, empty and with records, and the documentation: accessible, without errors, and without horizontal scrolling. With
 * `LOOKS=all` axe looks at every page at every width in both themes. */

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
  "settings/payouts",
  "settings/security",
  "settings/mail",
  "settings/audit",
  "nowhere",
];

async function opened(page: Page, place: string): Promise<void> {
  await page.goto(`${stack.dashboardUrl}${place}`);
  await page.locator("h1").first().waitFor();
  await loaded(page);
}

async function aBareShop() {
  const { id } = await stack.createMerchant({ name: "Bare Stores", webhook: null });
  return { id, records: [] };
}

/** At 320 px one shop is dark and the other light, and at 1,920 px the other way round. */
test.each<{ shop: string; create(): Promise<{ id: string; records: string[] }>; looks: Look[] }>([
  { shop: "empty", create: aBareShop, looks: EXTREMES },
  { shop: "busy", create: () => aBusyShop(stack), looks: OTHER_EXTREMES },
])(
  "no page of a shop that is $shop scrolls sideways at any width, and axe finds nothing serious at 320 and at 1,920 px",
  async ({ create, looks }) => {
    const { id, records } = await create();
    const { page, faults, close } = await openPage(browser);
    await page.context().addCookies(cookiesFor(stack, await aMember(stack, id, "owner")));
    const findings: string[] = [];
    for (const place of [...PATHS, ...records]) {
      await opened(page, `/m/${id}/test/${place}`);
      const found = await unfit(page, looks);
      findings.push(...[...found, ...faults.splice(0)].map((each) => `${place} ${each}`));
    }
    expect(findings).toEqual([]);
    await close();
  },
  600_000,
);

/** A collection of the busy shop's beside its list on a wide screen, and the filters of the list, in a sheet on a narrow one. */
test.each(EXTREMES)("a record beside its list, and the filters, at $width px, $colorScheme", async (look) => {
  const { width, colorScheme } = look;
  const { id } = await aBusyShop(stack);
  const { page, faults, close } = await openPage(browser, { viewport: { width, height: 844 }, colorScheme });
  await page.context().addCookies(cookiesFor(stack, await aMember(stack, id, "owner")));
  await opened(page, `/m/${id}/test/collections`);
  const findings: string[] = [];
  // Not in other widths: a sheet is there only on narrow screens.
  const inspect = async (place: string) => {
    await loaded(page);
    findings.push(...(await seriousFindings(page)).map((finding) => `${place}: ${finding}`));
    if ((await sidewaysScroll(page)) > 0) findings.push(`${place}: scrolls sideways`);
  };

  await page.getByRole("link", { name: "₦999,999,999.99" }).click();
  const record = page.getByRole("region", { name: /^Collection / });
  await record.getByText("Posted to the ledger").waitFor();
  await expect.poll(() => page.getByRole("table", { name: "Collections" }).isVisible()).toBe(width >= 1_280);
  await inspect("record");
  await page.keyboard.press("k");
  await record
    .getByText(/^₦2,500/)
    .first()
    .waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.evaluate<string>("document.activeElement.textContent")).toMatch(/^₦2,500/);

  const isSheet = width < 768;
  await page.getByRole("button", { name: isSheet ? "Filters" : "Amount", exact: true }).click();
  await page.getByRole("textbox", { name: "From", exact: true }).fill("2,000");
  await page.getByRole("textbox", { name: "To", exact: true }).fill("3,000");
  await inspect("filters");
  await page.getByRole("button", { name: isSheet ? "Show results" : "Apply" }).click();
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

test("a month's statement, its journal and its settlements are downloaded, add up, and end with the balance", async () => {
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
  const naira = (amount: unknown) => `₦${Number(amount).toLocaleString("en", { minimumFractionDigits: 2 })}`;
  const [pdf] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download PDF" }).click(),
  ]);
  const { text } = await extractText(new Uint8Array(await readFile(await pdf.path())), { mergePages: true });
  expect(text).toContain(`Balance so far ${naira(balance.collected)} ${naira(balance.settled)}`);
  const journal = await download("journal");
  const kobo = (side: "debit" | "credit") => journal.reduce((sum, row) => sum + Math.round(Number(row[side]) * 100), 0);
  expect([kobo("debit") > 0, kobo("debit")]).toEqual([true, kobo("credit")]);

  await page.goto(`${stack.dashboardUrl}/m/${id}/test/settlements`);
  await page.getByRole("button", { name: "Export for accounting" }).click();
  await expectFit(page);
  const rows = await downloadedRows(page, () => page.getByRole("link", { name: "Download", exact: true }).click());
  const imported = rows.reduce((sum, row) => sum + Math.round(Number(row["*Amount"]) * 100), 0);
  expect([imported, rows.length]).toEqual([Math.round(Number(statement[3]?.settled) * 100), 2]);
  expect(faults).toEqual([]);
  await close();
});

const SIGNED_OUT = ["/sign-in", "/sign-up", "/forgot-password", "/nothing/here"];
const UNKNOWN = ["/sign-in/link/unknown", "/reset-password/unknown", "/confirm-address/unknown", "/invitation/unknown"];

test("the pages before the sign-in fit and are without errors, too", async () => {
  const { page, faults, close } = await openPage(browser, { expected: [401, 404] });
  for (const place of [...SIGNED_OUT, ...UNKNOWN]) {
    await opened(page, place);
    await expectFit(page);
  }
  expect(faults).toEqual([]);
  await close();
});

/** Of each kind of page one that is long. */
const DOCUMENTATION = ["", "/guides/webhooks", "/guides/checkout-js", "/reference", "/reference/payments", "/errors"];
const site = new URL("/docs", stack.baseUrl).href;

test("the documentation fits, and is searched on a phone", async () => {
  const { page, faults, close } = await openPage(browser, { viewport: { width: 390, height: 844 } });
  for (const path of DOCUMENTATION) {
    await page.goto(`${site}${path}`);
    await expectFit(page);
  }
  await page.getByRole("searchbox").fill("insufficient_balance");
  const found = page.getByRole("search").getByRole("link", { name: "insufficient_balance", exact: true });
  await found.first().waitFor();
  await expectFit(page);
  await found.first().click();
  await page.waitForURL(`${site}/errors/insufficient_balance`);
  expect(faults).toEqual([]);
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
