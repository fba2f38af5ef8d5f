import { nuban, TEST_BANK } from "@collect/bank";
import { createTransfer, runSettlement, TransferList } from "@collect/contracts";
import { until } from "@collect/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, seriousFindings, sidewaysScroll } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { aMember, cookiesFor, type Person } from "../stack/person.ts";
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

/** A business whose payouts above 2,500 naira need a second person, with an owner and a finance member. */
async function aShopOfTwo() {
  const merchant = await stack.createMerchant({ name: "Ada Stores", webhook: null });
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  await api.post("/customer_accounts", { customer_reference: "cust_1", customer_name: "Ngozi Eze" });
  await api.post("/customer_accounts/cust_1/simulate_payment", { outcome: "paid", amount: 10_000 });
  await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "test" } });
  const ada = await aMember(stack, merchant.id, "owner", "Ada Obi");
  const bola = await aMember(stack, merchant.id, "finance", "Bola Ade");
  const limits = { transfer_max: null, day_max: null, approval_above: 2_500 };
  expect((await ada.call("POST", `/api/m/${merchant.id}/test/payout-limits`, limits)).status).toBe(200);
  const home = `${stack.dashboardUrl}/m/${merchant.id}/test`;
  const transfers = async () => TransferList.parse((await api.get("/transfers")).body).data;
  const browse = async (person: Person) => {
    const watched = await openPage(browser, { expected: [400, 409] });
    await watched.page.context().addCookies(cookiesFor(stack, person));
    return watched;
  };
  return { home, ada, bola, transfers, browse };
}

const LABEL = `((element) => (element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent).trim())(document.activeElement)`;

/** Moves with the Tab key alone, as far as a person would, to what has this name, which must be in sight. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press("Tab");
    if (name.test(await page.evaluate<string>(LABEL))) return;
  }
  throw new Error(`the Tab key does not lead to ${name}`);
}
async function press(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
}

test("by keyboard alone, an owner orders a large transfer and cannot approve it; a finance member finds and approves it, and saves the account", async () => {
  const { home, ada, bola, transfers, browse } = await aShopOfTwo();
  const [owner, finance] = [await browse(ada), await browse(bola)];
  await owner.page.goto(`${home}/transfers#send`);
  await owner.page.getByRole("dialog", { name: "Send money" }).waitFor();
  await press(owner.page, /^Test account numbers/);
  await press(owner.page, /^Use 0000001117/);
  await tabTo(owner.page, /^Amount/);
  await owner.page.keyboard.type("3000");
  await owner.page.getByRole("dialog").locator("bdi").first().waitFor();
  await press(owner.page, /^Review/);
  await press(owner.page, /^Send /);
  const waiting = (page: Page) => page.getByRole("region", { name: "Waiting for approval" });
  await waiting(owner.page).getByText("You ordered it").waitFor();
  await expectFit(owner.page, "ordered");
  expect(
    await waiting(owner.page)
      .getByRole("button", { name: /Approve/ })
      .count(),
  ).toBe(0);
  const [{ reference } = { reference: "" }] = await transfers();
  const own = await ada.call(
    "POST",
    `${new URL(home).pathname.replace("/m/", "/api/m/")}/transfers/${reference}/approve`,
    {},
  );
  expect([own.status, own.body.code]).toEqual([403, "second_person_required"]);

  await finance.page.goto(`${home}/inbox`);
  await finance.page.getByRole("region", { name: "Transfers that wait for approval" }).waitFor();
  await press(finance.page, /^Review$/);
  await waiting(finance.page).waitFor();
  await expectFit(finance.page, "approving");
  await press(finance.page, /^Approve and send ₦3,000.00/);
  await until("it is paid", async () => (await transfers())[0]?.status === "success");
  await finance.page.getByRole("button", { name: "Save beneficiary" }).waitFor();
  await press(finance.page, /^Save beneficiary/);
  await finance.page.goto(`${home}/transfers#send`);
  await finance.page.getByRole("dialog", { name: "Send money" }).waitFor();
  await tabTo(finance.page, /^Saved beneficiary/);
  await finance.page.keyboard.press("ArrowDown");
  await finance.page.getByRole("option", { name: /0000001117/ }).waitFor();
  await expectFit(finance.page, "saved");
  expect([...owner.faults, ...finance.faults]).toEqual([]);
  await Promise.all([owner.close(), finance.close()]);
});

const payroll = (amount: string) => ({
  name: "salaries of November.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(
    [
      "amount,bank_code,account_number",
      ...[1, 2, 3].map(
        (n) => `${amount},${TEST_BANK.code},${nuban({ bankCode: TEST_BANK.code, serial: `0000009${n}1` })}`,
      ),
    ].join("\n"),
  ),
});
const upload = (page: Page, amount: string) => page.locator("input[type=file]").setInputFiles(payroll(amount));

test("a file of transfers uploaded twice pays each line once, after one person confirmed and another approved it", async () => {
  const { home, ada, bola, transfers, browse } = await aShopOfTwo();
  const [owner, finance] = [await browse(ada), await browse(bola)];
  const { page } = owner;
  await page.goto(`${home}/transfers/bulk`);
  await upload(page, "a lot");
  await page.getByText("“a lot” is not an amount: naira with at most two decimals, no commas.").first().waitFor();
  await expectFit(page, "faults");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Choose a CSV file" }).waitFor();
  await upload(page, "1000");
  await page.getByRole("button", { name: "Send ₦3,000.00" }).waitFor();
  await expectFit(page, "checked");
  await page.getByRole("button", { name: "Send ₦3,000.00" }).click();
  await page.getByText(/You confirmed it, so another owner or a finance member/).waitFor();
  const address = page.url();
  expect(await transfers()).toEqual([]);

  const other = finance.page;
  await other.goto(`${home}/inbox`);
  await other
    .getByRole("region", { name: "Files of transfers that wait for approval" })
    .getByRole("link", { name: "Review" })
    .click();
  await other.getByRole("button", { name: "Approve and send ₦3,000.00" }).click();
  await other.getByText("3 transfers ordered").waitFor();
  await other.getByRole("link", { name: "View transfer" }).nth(2).waitFor();
  await expectFit(other, "sent");
  await other.goto(`${home}/transfers/bulk`);
  await upload(other, "1000.00");
  await other.getByText("These lines were uploaded before").waitFor();
  expect(other.url()).toBe(address);
  await expectFit(other, "again");
  const paid = await transfers();
  expect(paid.map(({ amount }) => amount)).toEqual([100_000n, 100_000n, 100_000n]);
  expect(new Set(paid.map(({ account_number }) => account_number)).size).toBe(3);
  expect([...owner.faults, ...finance.faults]).toEqual([]);
  await Promise.all([owner.close(), finance.close()]);
});
