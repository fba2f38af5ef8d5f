import { nuban, TEST_BANK } from "@collect/bank";
import { runSettlement, TransferList } from "@collect/contracts";
import { until } from "@collect/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { expectFit } from "../stack/fit.ts";
import { pressByKeyboard, tabTo } from "../stack/keyboard.ts";
import { aMember, cookiesFor, type Person } from "../stack/person.ts";
import { sharedStack } from "../stack/shared.ts";

/** What moves much money needs two people, each in a browser of their own. */

const stack = await sharedStack();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
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

const press = (page: Page, name: string) => pressByKeyboard(page, page.getByRole("button", { name, exact: true }));

test("by keyboard alone, an owner orders a large transfer and cannot approve it; a finance member finds and approves it, and saves the account", async () => {
  const { home, ada, bola, transfers, browse } = await aShopOfTwo();
  const [owner, finance] = [await browse(ada), await browse(bola)];
  await owner.page.goto(`${home}/transfers#send`);
  await owner.page.getByRole("dialog", { name: "Send money" }).waitFor();
  await press(owner.page, "Test account numbers");
  await press(owner.page, "Use 0000001117");
  await tabTo(owner.page, owner.page.getByRole("textbox", { name: "Amount" }));
  await owner.page.keyboard.type("3000");
  await owner.page.getByRole("dialog").locator("bdi").first().waitFor();
  await press(owner.page, "Review");
  await press(owner.page, "Send ₦3,000.00");
  const waiting = (page: Page) => page.getByRole("region", { name: "Waiting for approval" });
  await waiting(owner.page).getByText("You created it").waitFor();
  await expectFit(owner.page);
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
  const found = finance.page.getByRole("region", { name: "Transfers waiting for approval" });
  await pressByKeyboard(finance.page, found.getByRole("link", { name: "Review" }));
  await waiting(finance.page).waitFor();
  await expectFit(finance.page);
  await press(finance.page, "Approve and send ₦3,000.00");
  await until("it is paid", async () => (await transfers())[0]?.status === "success");
  await press(finance.page, "Save beneficiary");
  await finance.page.getByRole("button", { name: "Save beneficiary" }).waitFor({ state: "detached" });
  await finance.page.goto(`${home}/transfers#send`);
  await finance.page.getByRole("dialog", { name: "Send money" }).waitFor();
  await tabTo(finance.page, finance.page.getByRole("combobox", { name: "Saved beneficiary" }));
  await finance.page.keyboard.press("ArrowDown");
  await finance.page.getByRole("option", { name: /0000001117/ }).waitFor();
  await expectFit(finance.page);
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
/** The machine's own dialog, in which a person chooses the file, is not part of the page. */
async function upload(page: Page, amount: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), press(page, "Choose a CSV file")]);
  await chooser.setFiles(payroll(amount));
}

test("by keyboard alone, a file of transfers uploaded twice pays each line once, after one person confirmed and another approved it", async () => {
  const { home, ada, bola, transfers, browse } = await aShopOfTwo();
  const [owner, finance] = [await browse(ada), await browse(bola)];
  const { page } = owner;
  await page.goto(`${home}/transfers/bulk`);
  await upload(page, "a lot");
  await page.getByText("“a lot” is not an amount: naira with at most two decimals, no commas.").first().waitFor();
  await expectFit(page);
  await press(page, "Discard");
  await upload(page, "1000");
  await page.getByRole("button", { name: "Send ₦3,000.00" }).waitFor();
  await expectFit(page);
  await press(page, "Send ₦3,000.00");
  await page.getByText(/You confirmed it, so another owner or a finance member/).waitFor();
  const address = page.url();
  expect(await transfers()).toEqual([]);

  const other = finance.page;
  await other.goto(`${home}/inbox`);
  const found = other.getByRole("region", { name: "Bulk transfers waiting for approval" });
  await pressByKeyboard(other, found.getByRole("link", { name: "Review" }));
  await press(other, "Approve and send ₦3,000.00");
  await other.getByText("3 transfers created").waitFor();
  await other.getByRole("link", { name: "View transfer" }).nth(2).waitFor();
  await expectFit(other);
  await other.goto(`${home}/transfers/bulk`);
  await upload(other, "1000.00");
  await other.getByText("These lines were uploaded before").waitFor();
  expect(other.url()).toBe(address);
  await expectFit(other);
  const paid = await transfers();
  expect(paid.map(({ amount }) => amount)).toEqual([100_000n, 100_000n, 100_000n]);
  expect(new Set(paid.map(({ account_number }) => account_number)).size).toBe(3);
  expect([...owner.faults, ...finance.faults]).toEqual([]);
  await Promise.all([owner.close(), finance.close()]);
});
