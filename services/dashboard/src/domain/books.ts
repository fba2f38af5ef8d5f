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
  collection_reversal: "Payment taken back by the bank",
  allocation_reversal: "Payment taken back by the bank",
  cover: "Moved back to cover what the bank took",
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

const OF_COLLECTIONS = ["collection", "allocation", "collection_reversal", "allocation_reversal"];

/** Collections, and what banks took back of them, are known by the collection's intake in the ledger. */
export const isCollection = (kind: string): boolean => OF_COLLECTIONS.includes(kind);

/** Balances, and what Settled covered, have no reference: the key of a cover says only after what it was due. */
export const hasReference = (kind: string): boolean => !["opening", "closing", "cover"].includes(kind);
