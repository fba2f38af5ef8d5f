import type { AuditPart, Mode } from "@collect/contracts";

/** What does not hold, and of which entry, transaction, ledger account or mode. */
export type Difference = { what: string; where: string };

/** What all balances of a mode sum to: kobo in digits, as JSON keeps it. */
export type ModeSum = { mode: Mode; ledger_accounts: number; sum: string };

/** What a round of the audit goes through, all of each, in this order. */
export type Stage = "entries" | "transactions" | "ledger_accounts" | "settlements";
export const FIRST_STAGE: Stage = "entries";
export const STAGE_AFTER: Record<Stage, Stage | null> = {
  entries: "transactions",
  transactions: "ledger_accounts",
  ledger_accounts: "settlements",
  settlements: null,
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

/** For how long nothing newer may have been proven: of the sums, of what was posted last, and of the round. */
const MAX_AGE_S = { sums: 60, recent: 60, round: 300 };

/** What stands of the audit, with ages in seconds on the database's clock. */
export type Standing = {
  proven_at: string | null;
  proven_age_s: number | null;
  recent_at: string | null;
  recent_age_s: number | null;
  recent_to: string | null;
  last_round: bigint;
  last_round_at: string | null;
  this_round: bigint;
  sums: Difference[];
  recent: Difference[];
  round: Difference[];
};

/** What the ledger proves of itself, each with its age. */
export function ledgerParts(standing: Standing): AuditPart[] {
  const { proven_at, proven_age_s, recent_at, recent_age_s, recent_to, last_round, last_round_at, this_round } =
    standing;
  const part = (given: Pick<AuditPart, "name" | "compares" | "differences"> & Partial<AuditPart>): AuditPart => ({
    from: null,
    to: null,
    proven_at,
    age_s: proven_age_s,
    max_age_s: MAX_AGE_S.sums,
    notes: [],
    ...given,
    holds: given.differences.length === 0,
  });
  return [
    part({ name: "sums", compares: "all balances of a mode sum to zero", differences: standing.sums }),
    part({
      name: "recent postings",
      compares: "each transaction's entries with what it says, and each entry with the one before",
      to: recent_to,
      proven_at: recent_at,
      age_s: recent_age_s,
      max_age_s: MAX_AGE_S.recent,
      differences: standing.recent,
    }),
    part({
      name: "all postings",
      compares: "every chain of entries, transaction, balance and settlement, round and round",
      max_age_s: MAX_AGE_S.round,
      differences: standing.round,
      notes: [
        last_round_at ? `the last round proved ${last_round} entries by ${last_round_at}` : "no round is over yet",
        `this round has proven ${this_round} entries`,
      ],
    }),
  ];
}
