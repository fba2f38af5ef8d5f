import { createHash } from "node:crypto";
import { importStatements, listBankAccounts, putStatementPart, setBankAccount } from "@collect/contracts";
import { mt940, until } from "@collect/testing";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { payoutOrder, type Shop } from "../faults/shop.ts";
import type { Stack } from "../stack.ts";
import { aBankTransfer, reportTransfer } from "./bank.ts";
import { expectFit } from "./fit.ts";
import { pressByKeyboard } from "./keyboard.ts";
import { ACCOUNT, BANK, DAY } from "./operator-days.ts";
import { actsOf } from "./operator-pages.ts";

/** What a bank took back, and a payout that it returned, both without a word: booked by lines of its statement, by two operators. */

const [TAKEN, RETURNED] = [137.5, 85.25];

/** A credit of that day and a payout before it, and a statement on which both are gone. */
export async function linesOfADay(stack: Stack, shop: Shop) {
  const { merchant, api } = shop;
  const { body: customer } = await api.get("/customer_accounts/c");
  const paid = { account_number: String(customer.account_number), amount: TAKEN, paid_at: `${DAY}T12:00:00.000+01:00` };
  const credit = aBankTransfer(paid);
  await reportTransfer(stack.bankDoor, credit);
  const { body } = await api.post("/transfers", { ...payoutOrder(2), amount: RETURNED });
  const payout = String(body.reference);
  const isPaid = async () => (await api.get(`/transfers/${payout}`)).body.status === "success";
  await until("the payout has succeeded", isPaid);
  await until("the credit is completed", async () => {
    const completed = "select from inbound_transfers where bank_transfer_id = $1 and completed_at is not null";
    return (await stack.database("accounts").query(completed, [credit.id])).rowCount === 1;
  });
  // As if it had been ordered before the day: a test cannot wait for the next.
  const before = "update transfers set created_at = created_at - interval '2 days' where reference = $1";
  await stack.database("payments").query(before, [payout]);
  await importStatement(stack);
  return { shop, merchant, credit: credit.id, payout };
}
type Lines = Awaited<ReturnType<typeof linesOfADay>>;

async function importStatement({ bus }: Stack): Promise<void> {
  const account = { number: ACCOUNT, bank: BANK, pays_out: true, charge_words: ["FEE"], mapping: null };
  await bus.request(setBankAccount, account);
  const { accounts } = await bus.request(listBankAccounts, {});
  const opening = BigInt(accounts.find(({ number }) => number === ACCOUNT)?.closing ?? 0);
  const lines = [
    { amount: kobo(RETURNED), narration: "RTN TRF" },
    { amount: -kobo(TAKEN), narration: "RVSL OF TRF" },
  ];
  const bytes = Buffer.from(mt940({ account: ACCOUNT, day: DAY, number: 2, opening, lines }));
  const hash = createHash("sha256").update(bytes).digest("hex");
  await bus.request(putStatementPart, { hash, part: 1, data: bytes.toString("base64") });
  await bus.request(importStatements, { hash, parts: 1, name: "second.sta" });
}

const kobo = (naira: number) => BigInt(Math.round(naira * 100));

type World = { stack: Stack; lines: Lines; url: string; proposer: Page; approver: Page };

/** The wrong amount, and the taking back of what was carried out, are refused to the one who approves. */
export async function bookLines({ stack, lines, url, proposer, approver }: World): Promise<void> {
  const { shop, merchant, credit, payout } = lines;
  const open = async (narration: string, link: string) => {
    await proposer.goto(`${url}/days/${DAY}`);
    const row = proposer.getByRole("row", { name: new RegExp(narration) });
    await row.getByRole("link", { name: link }).waitFor();
    await expectFit(proposer);
    await pressByKeyboard(proposer, row.getByRole("link", { name: link }));
    await proposer.getByText("In no match").waitFor();
  };

  await open("RVSL OF TRF", "Reverse it");
  await proposer.getByLabel("ID of the transfer").fill(credit);
  await pressByKeyboard(proposer, proposer.getByRole("button", { name: "Show whose it is" }));
  await proposer.getByRole("link", { name: merchant.name }).waitFor();
  await expectFit(proposer);
  const reverse = { label: "Reverse it", reason: "How you know that it is this transfer" };
  const amount = "What is taken back of the transfer";
  await propose(proposer, { ...reverse, fields: { [amount]: "137" } });
  await propose(proposer, { ...reverse, fields: { [amount]: String(TAKEN) } });
  await approver.goto(`${url}/proposals`);
  await approver.getByText("Proposed: debit a merchant").first().waitFor();
  await expectFit(approver);
  await approve(approver, "amount13700");
  await approver.getByText("The line takes back ₦137.50 of the transfer.").first().waitFor();
  await approver.keyboard.press("Escape");
  await approve(approver, "amount13750");
  await merchantReceived(lines, "collection.reversed");

  await open("RTN TRF", "Credit it");
  await expectFit(proposer);
  for (const [id, shown] of [
    [credit, "There is no such live payout"],
    [payout, merchant.name],
  ] as const) {
    await proposer.getByLabel("Payout's ID").fill(id);
    await pressByKeyboard(proposer, proposer.getByRole("button", { name: "Show the payout" }));
    await proposer.getByText(shown).first().waitFor();
  }
  await expectFit(proposer);
  await propose(proposer, { label: "Return the payout", reason: "How you know that it is this payout", fields: {} });
  await propose(proposer, { label: "Take back the return", reason: "Reason", fields: {} });
  await approver.reload();
  await expectFit(approver);
  await approve(approver, "give back a payout");
  await until("the payout is reversed", async () => {
    return (await shop.api.get(`/transfers/${payout}`)).body.status === "reversed";
  });
  await merchantReceived(lines, "transfer.reversed");
  // It was carried out.
  await approve(approver, "cancel an unfinished return");
  await approver.getByText("This transfer came back with this line: that is not taken back.").first().waitFor();
  expect((await actsOf(stack, merchant.id)).slice(0, 2)).toMatchObject([
    { action: "payout.return_taken_back", outcome: "refused", who: "operator efe" },
    { action: "payout.returned", outcome: "done", who: "operator efe" },
  ]);
  await proposer.reload();
  await proposer.getByText(`The return of the payout ${payout}`).waitFor();
}

const merchantReceived = ({ merchant }: Lines, event: string) =>
  until(`${event} is delivered`, () => merchant.received("live").some(({ body }) => body.event === event));

type Proposal = { label: string; reason: string; fields: Record<string, string> };

async function propose(page: Page, { label, reason, fields }: Proposal): Promise<void> {
  await pressByKeyboard(page, page.getByRole("button", { name: label }));
  const dialog = page.getByRole("dialog");
  for (const [name, value] of Object.entries(fields)) await dialog.getByLabel(name).fill(value);
  await dialog.getByLabel(reason).fill("The bank's mail of today");
  await expectFit(page);
  await pressByKeyboard(page, dialog.getByRole("button", { name: label }));
  await page.getByText("A second operator has to approve this").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
}

/** The waiting proposal that says this. */
async function approve(page: Page, text: string): Promise<void> {
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  const button = page.getByRole("button", { name: "Approve" });
  const card = page.locator(".mantine-Card-root", { hasText: text }).filter({ has: button });
  await pressByKeyboard(page, card.getByRole("button", { name: "Approve" }));
  await pressByKeyboard(page, page.getByRole("dialog").getByRole("button", { name: "Approve" }));
}
