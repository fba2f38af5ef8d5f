import { nuban, TEST_BANK } from "@collect/bank";
import { runSettlement, TransferList } from "@collect/contracts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, seriousFindings, sidewaysScroll } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { aMember, cookiesFor, type Person } from "../stack/person.ts";
import { startStack } from "../stack.ts";

/** A payroll from one file, uploaded twice, with faults first, confirmed by one person and approved by another. */

const stack = await startStack();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

const account = (place: number) => nuban({ bankCode: TEST_BANK.code, serial: `0000009${place}1` });
const aFile = (amount: string) => ({
  name: "salaries of November.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(
    [
      "amount,bank_code,account_number",
      ...[1, 2, 3].map((place) => `${amount},${TEST_BANK.code},${account(place)}`),
    ].join("\n"),
  ),
});

async function aShop() {
  const merchant = await stack.createMerchant({ name: "Ada Stores", webhook: null });
  const scope = { id: merchant.id, name: merchant.name, mode: "test" as const };
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  await api.post("/customer_accounts", { customer_reference: "cust_1", customer_name: "Ngozi Eze" });
  await api.post("/customer_accounts/cust_1/simulate_payment", { outcome: "paid", amount: 10_000 });
  await stack.bus.request(runSettlement, { merchant: scope });
  const [ada, bola] = await Promise.all([
    aMember(stack, merchant.id, "owner", "Ada Obi"),
    aMember(stack, merchant.id, "finance", "Bola Ade"),
  ]);
  const limits = { transfer_max: null, day_max: null, approval_above: 2_500 };
  expect((await ada.call("POST", `/api/m/${merchant.id}/test/payout-limits`, limits)).status).toBe(200);
  return { home: `${stack.dashboardUrl}/m/${merchant.id}/test`, api, ada, bola };
}

/** A browser of this person; `look` fails on what is not accessible, on errors and on sideways scrolling. */
async function browserOf(person: Person, size: { width: number; height: number }, colorScheme: "light" | "dark") {
  const { page, faults, close } = await openPage(browser, { viewport: size, colorScheme, expected: [400] });
  await page.context().addCookies(cookiesFor(stack, person));
  const look = async () => {
    expect(await seriousFindings(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    expect(faults).toEqual([]);
    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/${size.width}-${++shots}.png`, fullPage: true });
  };
  return { page, look, close };
}
let shots = 0;

const upload = (page: Page, file: ReturnType<typeof aFile>) => page.locator("input[type=file]").setInputFiles(file);

test("a file uploaded twice pays each line once, after one person confirmed and another approved it", async () => {
  const { home, api, ada, bola } = await aShop();
  const { page, look, close } = await browserOf(ada, { width: 1_280, height: 900 }, "light");
  await page.goto(home);
  await page.getByRole("link", { name: "Send money" }).click();
  await page.getByRole("dialog", { name: "Send money" }).waitFor();
  await page.goto(`${home}/transfers/bulk`);
  await upload(page, aFile("a lot"));
  await page.getByRole("status").getByText("3 lines with faults").waitFor();
  await page.getByText("“a lot” is not an amount: naira with at most two decimals, no commas.").first().waitFor();
  await look();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Choose a CSV file" }).waitFor();
  await upload(page, aFile("1000"));
  await page.getByRole("button", { name: "Send ₦3,000.00" }).waitFor();
  await look();
  await page.getByRole("button", { name: "Send ₦3,000.00" }).click();
  await page.getByText(/You confirmed it, so another owner or a finance member/).waitFor();
  const address = page.url();
  expect((await api.get("/transfers")).body.data).toEqual([]);

  const second = await browserOf(bola, { width: 390, height: 844 }, "dark");
  await second.page.goto(address);
  await second.page.getByRole("button", { name: "Approve and send ₦3,000.00" }).waitFor();
  await second.look();
  await second.page.getByRole("button", { name: "Approve and send ₦3,000.00" }).click();
  await second.page.getByText("3 transfers ordered").waitFor();
  await second.page.getByRole("link", { name: "View transfer" }).nth(2).waitFor();
  await second.look();
  await second.page.goto(`${home}/transfers/bulk`);
  await upload(second.page, aFile("1000.00"));
  await second.page.getByText("These lines were uploaded before").waitFor();
  expect(second.page.url()).toBe(address);
  await second.look();
  await Promise.all([second.close(), close()]);

  const { data } = TransferList.parse((await api.get("/transfers")).body);
  expect(data.map(({ amount }) => amount)).toEqual([100_000n, 100_000n, 100_000n]);
  expect(new Set(data.map(({ account_number }) => account_number)).size).toBe(3);
});
