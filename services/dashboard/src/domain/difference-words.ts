import type { DaySheet } from "@collect/contracts";

export type Difference = DaySheet["items"][number]["class"];

/** Why the bank and our books differ, as the page and the printed report say it. */
export const DIFFERENCES: Record<Difference, string> = {
  timing: "Timing",
  by_hand: "Matched by hand",
  charge: "Bank charge",
  bank_only: "At the bank only",
  books_only: "In our books only",
  different_amount: "Different amount",
  ledger: "Ledger only",
  account_ended: "Account ended",
};
