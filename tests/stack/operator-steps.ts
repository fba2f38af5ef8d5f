import { until } from "@collect/testing";
import type { Page } from "playwright-core";
import type { Shop } from "../faults/shop.ts";
import type { Stack } from "../stack.ts";
import { aBankTransfer, reportTransfer } from "./bank.ts";
import { expectFit } from "./fit.ts";
import { pressByKeyboard } from "./keyboard.ts";
import { OPERATOR_PASSWORD } from "./operator-pages.ts";

/** What an operator does on the pages, by keyboard. */

const UNOWNED_ACCOUNT = "9999999999";

type World = { stack: Stack; shop: Shop };

async function open(page: Page, name: string): Promise<void> {
  await pressByKeyboard(page, page.getByRole("link", { name, exact: true }));
  await page.getByRole("heading", { name, level: 1 }).waitFor();
}

/** Money for an account without an owner is credited to the customer that the operator names. */
export async function allocateMoney(page: Page, { stack, shop }: World): Promise<void> {
  await reportTransfer(stack.bankDoor, aBankTransfer({ account_number: UNOWNED_ACCOUNT, amount: 200 }));
  const accounts = stack.database("accounts");
  const isInSuspense = "select from inbound_transfers where account_number = $1 and completed_at is not null";
  await until("it is in suspense", async () => (await accounts.query(isInSuspense, [UNOWNED_ACCOUNT])).rowCount === 1);
  await open(page, "Incoming transfers");
  await page.getByText(UNOWNED_ACCOUNT).waitFor();
  await expectFit(page);
  await pressByKeyboard(page, page.getByRole("button", { name: "Allocate" }));
  await page.getByLabel("Merchant ID").fill(shop.merchant.id);
  await page.getByLabel("Customer reference (optional)").fill("c");
  await expectFit(page);
  await pressByKeyboard(page, page.getByRole("button", { name: "Allocate" }).last());
  await page.getByText("No money is unallocated.").waitFor();
  await untilCollected(shop, 200);
}

/** A fact that payments cannot store, until the cause is gone: then the operator retries it, and the merchant is notified. */
export async function retryDeadLetter(page: Page, { stack, shop }: World): Promise<void> {
  const payments = stack.database("payments");
  await payments.query("alter table collections add constraint not_this_amount check (amount <> 33300) not valid");
  const { body: customer } = await shop.api.get("/customer_accounts/c");
  const account_number = String(customer.account_number);
  await reportTransfer(stack.bankDoor, aBankTransfer({ account_number, amount: 333 }));
  const isDead = "select from dead_letters where error like '%not_this_amount%'";
  await until("it is a dead letter", async () => (await payments.query(isDead)).rowCount === 1);
  await payments.query("alter table collections drop constraint not_this_amount");
  await open(page, "Dead letters");
  await pressByKeyboard(page, page.getByRole("button", { name: "Retry" }));
  await expectFit(page);
  await pressByKeyboard(page, page.getByRole("dialog").getByRole("button", { name: "Retry" }));
  await page.getByText("No dead letters.").waitFor();
  await untilCollected(shop, 333);
}

/** The merchant was notified of it. */
async function untilCollected({ merchant }: Shop, amount: number): Promise<void> {
  await until(`the collection of ${amount} is delivered`, () =>
    merchant.received("live").some(({ body }) => Object(body.data).amount === amount),
  );
}

/** What the page says is what the services recorded: a transfer came and a payout succeeded. Without an answer it says so. */
export async function readPartnerBank(page: Page, stack: Stack): Promise<void> {
  const payments = stack.database("payments");
  const pending = "select from transfers where mode = 'live' and status = 'pending'";
  await until("the payout succeeded", async () => (await payments.query(pending)).rowCount === 0);
  await open(page, "Partner bank");
  await page.getByText(/^Last transfer received .+, \d+ seconds? after it was paid\.$/).waitFor();
  await page.getByText(/^No payout waits for an answer\. The last success was .+\.$/).waitFor();
  await page.getByText("1 succeeded").first().waitFor();
}

/** Each page says what it has, or that it has nothing. */
export async function visitEveryPage(page: Page): Promise<void> {
  for (const [name, shown] of [
    ["Verification", "Nothing waits for a decision."],
    ["Incoming transfers", "No money is unallocated."],
    ["Payouts", "Running"],
    ["Partner bank", "account was issued in the last day"],
    ["Days", "No day yet"],
    ["Statements", "No statement was imported yet."],
    ["Dead letters", "No dead letters."],
    ["Self-audit", "Holds"],
    ["Proposals", "No proposals."],
    ["Audit log", "Signed in as an operator"],
  ] as const) {
    await open(page, name);
    await page.getByText(shown).first().waitFor();
    await expectFit(page);
  }
}

/** With a reason that only the audit log has. */
export async function resume(page: Page): Promise<void> {
  await pressByKeyboard(page, page.getByRole("button", { name: "Resume" }));
  await page.getByLabel("Reason (audit log only)").fill("Reviewed");
  await pressByKeyboard(page, page.getByRole("button", { name: "Resume" }).last());
  await page.getByText("Resumed. Held payouts that are due now: 0.").waitFor();
  await page.keyboard.press("Escape");
}

/** With the wrong code first. */
export async function signInAgain(page: Page, code: string): Promise<void> {
  await pressByKeyboard(page, page.getByRole("button", { name: "Sign out" }));
  await page.getByRole("heading", { name: "Sign in as ada" }).waitFor();
  await expectFit(page);
  await page.getByLabel("Password", { exact: true }).fill(OPERATOR_PASSWORD);
  await page.getByLabel("Authenticator code").fill("000000");
  await page.keyboard.press("Enter");
  await page.getByText("The password or the code is wrong.").waitFor();
  await page.getByLabel("Authenticator code").fill(code);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Merchants" }).waitFor();
}
