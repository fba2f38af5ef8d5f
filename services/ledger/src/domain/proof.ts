import type { Mode } from "@collect/contracts";

/** What does not hold, and of which entry, transaction, ledger account or mode. */
export type Difference = { what: string; where: string };

/** What all balances of a mode sum to: kobo in digits, as JSON keeps it. */
export type ModeSum = { mode: Mode; ledger_accounts: number; sum: string };

/** What a round of the audit goes through, all of each, in this order. */
export type Stage = "entries" | "transactions" | "ledger_accounts";
export const FIRST_STAGE: Stage = "entries";
export const STAGE_AFTER: Record<Stage, Stage | null> = {
  entries: "transactions",
  transactions: "ledger_accounts",
  ledger_accounts: null,
};

/** No more differences are named than this: they show where to look, they are not a list to work off. */
export const NAMED_MAX = 50;

export function sumDifferences(modes: ModeSum[]): Difference[] {
  return modes
    .filter(({ sum }) => BigInt(sum) !== 0n)
    .map(({ mode, sum }) => ({ what: `the balances sum to ${sum} kobo, not to zero`, where: `mode ${mode}` }));
}

/** Each difference once, the first of them. */
export function named(differences: Difference[]): Difference[] {
  const distinct = new Map(differences.map((difference) => [JSON.stringify(difference), difference]));
  return [...distinct.values()].slice(0, NAMED_MAX);
}
