import { nuban, TEST_BANK } from "@collect/bank";
import { createTransfer, runSettlement } from "@collect/contracts";
import { until } from "@collect/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, seriousFindings, sidewaysScroll } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { aMember, cookiesFor } from "../stack/person.ts";
import { startStack } from "../stack.ts";

/** What waits for a person is dealt with in a real browser. */

const stack = await startStack();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

/** A merchant with unmatched money, an underpaid session and a transfer that failed. */
async function aShopWithWork() {
  const merchant = await stack.createMerchant();
  const scope = { id: merchant.id, name: merchant.name, mode: "test" as const };
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  await api.post("/payments", { amount: 2_500, reference: "order-1" });
  const unmatched = await api.post("/sandbox/pay", { outcome: "paid", amount: 7_777.77 });
  await api.post("/customer_accounts", { customer_reference: "cust_1", customer_name: "Ada Obi" });
  await api.post("/payments", { amount: 1_000, customer_reference: "cust_1" });
  await api.post("/customer_accounts/cust_1/simulate_payment", { outcome: "underpaid" });
  await merchant.untilReceived("test", 2);
  await stack.bus.request(runSettlement, { merchant: scope });
  const { transfer } = await stack.bus.request(createTransfer, {
    ...{ merchant: scope, amount: 500, bank_code: TEST_BANK.code, reference: "rent" },
    account_number: nuban({ bankCode: TEST_BANK.code, serial: "000000002" }),
  });
  await merchant.untilReceived("test", 3);
  return { merchant, transfer, unmatched: String(unmatched.body.reference) };
}

async function expectFit(page: Page, name: string): Promise<void> {
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

test("finance assigns unmatched money and leaves it with a note, sends a failed transfer again, and the count falls", async () => {
  const { merchant, transfer, unmatched } = await aShopWithWork();
  const finance = await aMember(stack, merchant.id, "finance", "Ngozi Eze");
  const { page, faults, close } = await openPage(browser);
  await page.context().addCookies(cookiesFor(stack, finance));
  await page.goto(`${stack.dashboardUrl}/m/${merchant.id}/test/inbox`);
  const count = page.getByRole("navigation", { name: "Main" }).getByText(/^\d+$/);
  await until("three are open", async () => (await count.textContent()) === "3");
  const section = (name: string) => page.getByRole("region", { name });
  await section("Underpaid sessions")
    .getByText(/missing of/)
    .waitFor();
  await expectFit(page, "open");

  const money = section("Unmatched money");
  await money.getByText("₦7,777.77").waitFor();
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith(`/${unmatched}/owner`) && response.ok()),
    money.getByRole("combobox", { name: `Assignee of ${unmatched}` }).selectOption({ label: "Ngozi Eze" }),
  ]);
  await money.getByRole("button", { name: "Mark as done…" }).click();
  await money.getByRole("textbox").fill("A gift from the owner.");
  await expectFit(page, "finishing");
  await money.getByRole("button", { name: "Mark as done" }).click();
  await money.waitFor({ state: "detached" });
  await until("two are open", async () => (await count.textContent()) === "2");

  const failed = section("Failed transfers");
  await failed.getByRole("button", { name: "Send again…" }).click();
  await failed.getByRole("button", { name: "Send ₦500.00 again" }).click();
  // The account refuses that one, too: it is a failed transfer of its own.
  const orders = () =>
    stack
      .database("payments")
      .query<{ reference: string; status: string }>(
        "select reference, status from transfers where merchant_id = $1 and merchant_reference like 'again-%'",
        [merchant.id],
      );
  await until("it has failed again", async () => (await orders()).rows.some(({ status }) => status === "failed"));
  const repeated = await finance.call("POST", `/api/m/${merchant.id}/test/transfers/${transfer.reference}/again`, {});
  const { rows } = await orders();
  expect([rows.length, repeated.status, repeated.body.created]).toEqual([1, 200, false]);

  await page.getByRole("radiogroup", { name: "Show" }).getByText("Done").click();
  await section("Unmatched money").getByText("A gift from the owner.").waitFor();
  await section("Failed transfers").getByText(`Sent again as ${rows[0]?.reference}`).waitFor();
  await expectFit(page, "done");
  await section("Unmatched money")
    .getByRole("button", { name: /Reopen/ })
    .click();
  await page.getByRole("radiogroup", { name: "Show" }).getByText("Open").click();
  await section("Unmatched money").getByText("₦7,777.77").waitFor();
  expect(faults).toEqual([]);
  await close();
});
