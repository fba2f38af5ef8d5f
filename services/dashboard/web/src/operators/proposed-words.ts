import type { OperatorActs } from "../../../src/calls/index.ts";

/** What can be approved on these pages, by its subject; everything else by the command line. */
const APPROVED_HERE: (keyof OperatorActs)[] = [
  "gateway.merchant.suspend",
  "gateway.merchant.resume",
  "gateway.verification.decide",
  "payments.payouts.start",
  "payments.payouts.end",
  "payments.payouts.repeat",
  "payments.payouts.return",
  "payments.payouts.take_back_return",
  "accounts.transfer.allocate",
  "accounts.missed_transfer.report",
  "accounts.missed_transfer.withdraw",
  "accounts.missed_reversal.report",
  "statements.account.set",
  "statements.account.end",
  "statements.account.continue",
  "statements.account.remove",
  "statements.day.reopen",
  "statements.statement.withdraw",
  "gateway.operator.add",
  "gateway.operator_sign_in.reset",
];

export const isApprovedHere = (subject: string) => APPROVED_HERE.some((each) => each === subject);

/** What an approval does, by the action that it is recorded as. */
const PROPOSED: Record<string, string> = {
  "merchant.suspended": "suspend the business",
  "merchant.resumed": "lift the suspension of the business",
  "merchant.verified": "verify the business",
  "merchant.created": "create the business",
  "verification.decided": "decide on the business verification",
  "payouts.started": "start payouts again",
  "payout.ended": "say how a payout ended that the bank does not answer",
  "payout.repeated": "order a payout from the bank again",
  "payout.returned": "give back a payout that the bank returned after its success",
  "payout.return_taken_back": "cancel an unfinished return of a payout, so that its line is free",
  "payout_limits.set": "change the transfer limits",
  "transfer.allocated": "credit unallocated money",
  "reversal.reported": "debit a merchant for a credit that the bank took back, by a line of its statement",
  "credit.never_came": "debit a merchant for a credit that the bank never had",
  "credit.came_late": "credit a transfer that was taken back as never come, and came after all",
  "transfer.reported": "credit a transfer of a bank's statement",
  "transfer.report_withdrawn": "take back the offer of a line of a bank's statement",
  "transfer.made": "create a transfer",
  "partner.chosen": "issue new accounts at another partner bank",
  "payout_partner.chosen": "send payouts by another partner bank",
  "partner.opening_settled": "settle an unanswered account opening",
  "fee.set": "set the fee",
  "amount_limit.set": "set the limit per payment",
  "settlement.run": "settle everything collected until now",
  "settlement_schedule.set": "set the settlement schedule",
  "customer.erased": "erase a customer's personal data",
  "payer.erased": "erase a payer's personal data",
  "key.rolled": "roll an API key",
  "webhook.set": "set the webhook URL",
  "webhook.secret_revealed": "reveal the signing secret",
  "webhook.resumed": "resume the webhook",
  "member.set_by_operator": "set a member's role",
  "sign_in_link.made": "create a sign-in link",
  "bank_account.set": "change an account of ours at a bank",
  "bank_account.ended": "close days without an account of ours at a bank",
  "bank_account.continued": "take back the end of an account of ours at a bank",
  "bank_account.removed": "remove an account of ours at a bank",
  "statement.withdrawn": "withdraw a bank's statement",
  "day.reopened": "reopen a closed day",
  "operator.added": "add an operator",
  "operator.removed": "remove an operator",
  "operator.sign_in_reset": "reset the sign-in of an operator",
};

/** Undefined for an action that is unknown here. */
export const proposedWords = (action: string): string | undefined => PROPOSED[action];

export type InputLine = { name: string; value: string; merchant: string | undefined };

/** The exact input by the names of its fields; `merchant` is the one that a field names. */
export function inputLines(body: string): InputLine[] {
  return Object.entries<unknown>(JSON.parse(body)).map(([name, value]) => ({
    name,
    value: typeof value === "string" ? value : JSON.stringify(value),
    merchant: merchantOf(name, value),
  }));
}

function merchantOf(name: string, value: unknown): string | undefined {
  const id = name === "merchant" ? Object(value).id : name === "merchant_id" ? value : undefined;
  return typeof id === "string" ? id : undefined;
}
