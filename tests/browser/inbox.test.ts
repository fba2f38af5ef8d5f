import { nuban, TEST_BANK } from "@collect/bank";
import { createTransfer, runSettlement } from "@collect/contracts";
import { until } from "@collect/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { expectFit } from "../stack/fit.ts";
import { pressByKeyboard, tabTo } from "../stack/keyboard.ts";
import { aMember, cookiesFor } from "../stack/person.ts";
import { sharedStack } from "../stack/shared.ts";

/** What waits for a person is dealt with in a real browser. */

const stack = await sharedStack();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
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
  await expectFit(page);

  const money = section("Unmatched money");
  await money.getByText("₦7,777.77").waitFor();
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith(`/${unmatched}/owner`) && response.ok()),
    money.getByRole("combobox", { name: `Assignee of ${unmatched}` }).selectOption({ label: "Ngozi Eze" }),
  ]);
  await money.getByRole("button", { name: "Mark as done…" }).click();
  await money.getByRole("textbox").fill("A gift from the owner.");
  await expectFit(page);
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
  await until("it has failed again", async () => (await orders()).rows.map(({ status }) => status).join() === "failed");
  const repeated = await finance.call("POST", `/api/m/${merchant.id}/test/transfers/${transfer.reference}/again`, {});
  const { rows } = await orders();
  expect([rows.length, repeated.status, repeated.body.created]).toEqual([1, 200, false]);

  await page.getByRole("radiogroup", { name: "Show" }).getByText("Done").click();
  await section("Unmatched money").getByText("A gift from the owner.").waitFor();
  await section("Failed transfers").getByText(`Sent again as ${rows[0]?.reference}`).waitFor();
  await expectFit(page);
  await section("Unmatched money")
    .getByRole("button", { name: /Reopen/ })
    .click();
  await page.getByRole("radiogroup", { name: "Show" }).getByText("Open").click();
  await section("Unmatched money").getByText("₦7,777.77").waitFor();
  expect(faults).toEqual([]);
  await close();
});

/** An order for which the payer sent the money in two parts, neither of which is its exact amount. */
async function aShopWithParts() {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const { body: session } = await api.post("/payments", {
    amount: 2_500,
    reference: "order-2",
    customer_name: "Ada Obi",
  });
  const rest = Math.round((Number(session.amount) - 2_300) * 100) / 100;
  for (const amount of [2_300, rest])
    await api.post("/sandbox/pay", { outcome: "paid", amount, payer_name: "OBI ADA" });
  await merchant.untilReceived("test", 2);
  return { merchant, api, session: String(session.reference), rest };
}

/** One more event about the same money, signed and numbered, says whose it is; and so do the reads by key. */
async function expectTold({ merchant, api, session }: Awaited<ReturnType<typeof aShopWithParts>>): Promise<void> {
  const [money, , whose] = await merchant.untilReceived("test", 3);
  const bodyOf = (raw: Buffer | undefined) => JSON.parse(String(raw));
  const [recorded, attached] = [bodyOf(money?.raw), bodyOf(whose?.raw)];
  expect([whose?.headers["x-service-event"], whose?.headers["x-service-sequence"]]).toEqual([
    "collection.attached",
    "3",
  ]);
  expect(attached.data).toEqual({
    ...recorded.data,
    ...{ payment_reference: session, merchant_reference: "order-2", customer_name: "Ada Obi" },
  });
  const { reference } = attached.data;
  expect((await api.get(`/payments/${session}`)).body).toMatchObject({
    ...{ status: "underpaid", amount_received: 2_300, collections: [{ reference }] },
  });
  expect((await api.get(`/collections/${reference}`)).body).toMatchObject({
    ...{ payment_reference: session, attached_at: expect.any(String), event: { sequence: 1 } },
  });
}

test("finance finds a payer's money by its amount and attaches it, by keyboard alone; the server is told, and the count falls", async () => {
  const shop = await aShopWithParts();
  const { merchant, api, session, rest } = shop;
  const finance = await aMember(stack, merchant.id, "finance", "Ngozi Eze");
  const { page, faults, close } = await openPage(browser);
  await page.context().addCookies(cookiesFor(stack, finance));
  await page.goto(`${stack.dashboardUrl}/m/${merchant.id}/test/inbox`);
  const count = page.getByRole("navigation", { name: "Main" }).getByText(/^\d+$/);
  await until("two are open", async () => (await count.textContent()) === "2");

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search records, pages and actions" }).pressSequentially("2300");
  await page
    .locator("[role=listbox][aria-busy=false]")
    .getByRole("option", { name: /2,300\.00/ })
    .waitFor();
  await page.keyboard.press("Enter");
  const record = page.getByRole("region", { name: /^Collection / });
  await pressByKeyboard(page, record.getByRole("button", { name: "Attach…" }));
  const field = page.getByRole("textbox", { name: "Session or customer" });
  await field.and(page.locator(":focus")).waitFor();
  await page.keyboard.type("order-2");
  await page.getByText("Ada Obi · order-2").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.getByText(`order-2 becomes underpaid: ₦${rest.toFixed(2)} missing.`).waitFor();
  await expectFit(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("Attached by Ngozi Eze to a session").waitFor();
  await expectFit(page);

  await expectTold(shop);

  await page.goto(`${stack.dashboardUrl}/m/${merchant.id}/test/inbox`);
  await until("the rest and the session are open", async () => (await count.textContent()) === "2");
  const section = page.getByRole("region", { name: "Unmatched money" });
  await pressByKeyboard(page, section.getByRole("button", { name: "Attach…" }));
  await section.getByText("Ada Obi · order-2").waitFor();
  await tabTo(page, section.getByRole("radio", { name: "Ada Obi · order-2" }));
  await page.keyboard.press("Space");
  await section.getByText("order-2 becomes paid.").waitFor();
  await expectFit(page);
  await pressByKeyboard(page, section.getByRole("button", { name: `Attach ₦${rest.toFixed(2)}` }));
  await page.getByText("Nothing needs your attention").waitFor();
  await count.waitFor({ state: "detached" });
  expect((await api.get(`/payments/${session}`)).body).toMatchObject({ status: "paid", amount_received: rest + 2_300 });
  expect(faults).toEqual([]);
  await close();
});
