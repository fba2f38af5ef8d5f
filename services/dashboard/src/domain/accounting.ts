import { z } from "zod";
import { inLagos } from "./lagos.ts";

/**
 * Settlements as accounting software imports them. A row's fields are the columns of the product's own template, in its order. Each
 * settlement is what was received, less the fees and what the bank took back: what it changed on Settled, with what was moved back from there. Amounts are naira, and dates those of Lagos.
 */

export type SettledRow = {
  reference: string;
  created_at: string;
  totals: { amount: number; fee: number; covered?: number | undefined; net: number };
};

/** How the merchant's own books name the accounts of a journal. */
const AccountName = z.string().trim().min(1).max(100);
export const JournalAccounts = z.object({
  /** What we hold for the merchant. */
  settled_account: AccountName,
  fee_account: AccountName,
  sales_account: AccountName,
});
export const XeroAccounts = JournalAccounts.extend({ tax_rate: AccountName });
type JournalAccounts = z.output<typeof JournalAccounts>;
type XeroAccounts = z.output<typeof XeroAccounts>;

/** Lines of an account's statement: money in is positive. */
export const XeroStatement = z.object({
  "*Date": z.string(),
  "*Amount": z.number(),
  Payee: z.string(),
  Description: z.string(),
  Reference: z.string(),
});
export const xeroStatement = (settlement: SettledRow): z.output<typeof XeroStatement>[] =>
  statementOf(settlement).map(({ amount, description }) => ({
    "*Date": dateOf(settlement),
    "*Amount": amount,
    Payee: "Collect",
    Description: description,
    Reference: settlement.reference,
  }));

/** The layout of three columns. In the one of four, QuickBooks' own pages disagree which of the two amounts is money in. */
export const QuickBooksStatement = z.object({ Date: z.string(), Description: z.string(), Amount: z.number() });
export const quickBooksStatement = (settlement: SettledRow): z.output<typeof QuickBooksStatement>[] =>
  statementOf(settlement).map(({ amount, description }) => ({
    Date: dateOf(settlement),
    Description: `${description}, ${settlement.reference}`,
    Amount: amount,
  }));

/** One manual journal for each narration and date; a debit is positive. Columns of the template that stay empty must be there. */
export const XeroJournal = z.object({
  "*Narration": z.string(),
  "*Date": z.string(),
  Description: z.string(),
  "*AccountCode": z.string(),
  "*TaxRate": z.string(),
  "*Amount": z.number(),
  TrackingName1: z.null(),
  TrackingOption1: z.null(),
  TrackingName2: z.null(),
  TrackingOption2: z.null(),
});
const NOT_TRACKED = { TrackingName1: null, TrackingOption1: null, TrackingName2: null, TrackingOption2: null };
export const xeroJournal = (settlement: SettledRow, accounts: XeroAccounts): z.output<typeof XeroJournal>[] =>
  journalOf(settlement, accounts).map(({ account, amount, description }) => ({
    "*Narration": `Collect settlement ${settlement.reference}`,
    "*Date": dateOf(settlement),
    Description: description,
    "*AccountCode": account,
    "*TaxRate": accounts.tax_rate,
    "*Amount": amount,
    ...NOT_TRACKED,
  }));

/** QuickBooks takes at most 21 characters. */
const JOURNAL_NUMBER_MAX = 21;

/** One journal entry for each number. */
export const QuickBooksJournal = z.object({
  "*JournalNo": z.string(),
  "*JournalDate": z.string(),
  "*AccountName": z.string(),
  "*Debits": z.number().nullable(),
  "*Credits": z.number().nullable(),
  Description: z.string(),
});
export const quickBooksJournal = (
  settlement: SettledRow,
  accounts: JournalAccounts,
): z.output<typeof QuickBooksJournal>[] =>
  journalOf(settlement, accounts).map(({ account, amount, description }) => ({
    "*JournalNo": settlement.reference.slice(0, JOURNAL_NUMBER_MAX),
    "*JournalDate": dateOf(settlement),
    "*AccountName": account,
    "*Debits": amount > 0 ? amount : null,
    "*Credits": amount < 0 ? -amount : null,
    Description: `${description}, ${settlement.reference}`,
  }));

const RECEIVED = "Payments received";
const FEES = "Fees on payments received";

function statementOf({ totals: { amount, fee } }: SettledRow): { amount: number; description: string }[] {
  return withoutZeros([
    { amount, description: RECEIVED },
    { amount: -fee, description: FEES },
  ]);
}

function journalOf(
  { reference, totals }: SettledRow,
  { settled_account, fee_account, sales_account }: JournalAccounts,
) {
  const { amount, fee, covered = 0, net } = totals;
  const settled = (koboOf(net) - koboOf(covered)) / 100;
  if (koboOf(settled) + koboOf(fee) !== koboOf(amount)) throw new Error(`the journal of ${reference} does not balance`);
  return withoutZeros([
    { account: settled_account, amount: settled, description: "Settled" },
    { account: fee_account, amount: fee, description: FEES },
    { account: sales_account, amount: -amount, description: RECEIVED },
  ]);
}

const koboOf = (naira: number) => Math.round(naira * 100);

/** Both products refuse a line of zero, such as the fees of a merchant without any. */
const withoutZeros = <Line extends { amount: number }>(lines: Line[]) => lines.filter(({ amount }) => amount !== 0);

/** `21/11/2026`. */
const dateOf = ({ created_at }: SettledRow) => inLagos(created_at).slice(0, 10).split("-").reverse().join("/");
