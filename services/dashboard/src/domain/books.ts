/** The words of a merchant's books. */

const DESCRIPTIONS: Record<string, string> = {
  opening: "Opening balance",
  collection: "Payment received",
  allocation: "Payment assigned to you later",
  settlement: "Settlement",
  reserve: "Transfer ordered",
  payout: "Transfer sent",
  return: "Transfer failed, money returned",
  reversal: "Transfer reversed, money returned",
  closing: "Closing balance",
};

/** Kinds of a later release are shown as they are named. */
export const descriptionOf = (kind: string): string => DESCRIPTIONS[kind] ?? kind;

const ACCOUNTS: Record<string, string> = {
  collected: "Collected",
  settled: "Settled",
  payouts: "Transfers in progress",
  fees: "Fees",
};

/** Money outside is paid in by payers, through the bank or from suspense, or paid out by transfers. */
export const accountOf = (account: string, kind: string): string =>
  ACCOUNTS[account] ?? (kind === "payout" || kind === "reversal" ? "Paid out" : "Payments received");

/** Collections are known by their intake in the ledger. */
export const isCollection = (kind: string): boolean => kind === "collection" || kind === "allocation";
