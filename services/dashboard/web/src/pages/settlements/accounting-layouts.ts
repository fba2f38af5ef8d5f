/** What the merchant's own books call the accounts of a journal. */
export const ACCOUNTS = {
  settled_account: { label: "Account for your settled balance", description: "What you have with us" },
  fee_account: { label: "Account for fees", description: "An expense" },
  sales_account: { label: "Account for payments received", description: "Sales, or what customers owe you" },
  tax_rate: { label: "Tax rate", description: "Its full name in Xero" },
};
export type Account = keyof typeof ACCOUNTS;

export type Form = { label: string; hint: string; ending: string; accounts: Account[] };

const STATEMENT =
  "Two lines per settlement: payments received and fees. Import it into an account for your settled balance. Transfers out and returned transfers are not included; the transfers page exports them.";
const JOURNAL = "One journal per settlement: what was settled and the fees are debits, payments received are credits.";
const QUICKBOOKS_LIMIT = "QuickBooks Online imports up to 1,000 lines at a time.";
const QUICKBOOKS_JOURNAL = `${JOURNAL} Enter account names as in your chart of accounts. Dates are day/month/year. ${QUICKBOOKS_LIMIT}`;
const BY_NAME: Account[] = ["settled_account", "fee_account", "sales_account"];

export const LAYOUTS = {
  "xero-statement": {
    label: "Xero: bank statement (CSV)",
    hint: `${STATEMENT} Xero imports up to 1,000 lines at a time.`,
    ending: "xero-statement.csv",
    accounts: [],
  },
  "xero-journal": {
    label: "Xero: manual journals (CSV)",
    hint: `${JOURNAL} Enter account codes, not names. Xero imports up to 300 lines at a time, which is 100 settlements.`,
    ending: "xero-journal.csv",
    accounts: [...BY_NAME, "tax_rate"],
  },
  "quickbooks-statement": {
    label: "QuickBooks Online: bank transactions (CSV)",
    hint: `${STATEMENT} Dates are day/month/year. ${QUICKBOOKS_LIMIT}`,
    ending: "quickbooks-statement.csv",
    accounts: [],
  },
  "quickbooks-journal": {
    label: "QuickBooks Online: journal entries (CSV)",
    hint: QUICKBOOKS_JOURNAL,
    ending: "quickbooks-journal.csv",
    accounts: BY_NAME,
  },
  "quickbooks-journal-xlsx": {
    label: "QuickBooks Online: journal entries (Excel)",
    hint: QUICKBOOKS_JOURNAL,
    ending: "quickbooks-journal.xlsx",
    accounts: BY_NAME,
  },
} satisfies Record<string, Form>;
export type Layout = keyof typeof LAYOUTS;

export const isLayout = (value: string): value is Layout => value in LAYOUTS;
