import type { AuditPart, Mode } from "@collect/contracts";

/** What does not match, and the entry, transaction, ledger account or mode where it was found. */
export type Difference = { what: string; where: string };

/** The sum of all balances of a mode: kobo as a string of digits, as JSON stores it. */
export type ModeSum = { mode: Mode; ledger_accounts: number; sum: string };

/** The stages of an audit round, in this order. Each covers a whole table. */
export type Stage = "entries" | "transactions" | "ledger_accounts" | "settlements";
export const FIRST_STAGE: Stage = "entries";
export const STAGE_AFTER: Record<Stage, Stage | null> = {
  entries: "transactions",
  transactions: "ledger_accounts",
  ledger_accounts: "settlements",
  settlements: null,
};

/** At most this many differences are reported: they show where to look and are not a complete list. */
export const DIFFERENCES_MAX = 50;

export function sumDifferences(modes: ModeSum[]): Difference[] {
  return modes
    .filter(({ sum }) => BigInt(sum) !== 0n)
    .map(({ mode, sum }) => ({ what: `the balances sum to ${sum} kobo, not to zero`, where: `mode ${mode}` }));
}

/** The first differences, without duplicates. */
export function firstDistinct(differences: Difference[]): Difference[] {
  const distinct = new Map(differences.map((difference) => [JSON.stringify(difference), difference]));
  return [...distinct.values()].slice(0, DIFFERENCES_MAX);
}

/** The maximum age of each proof: of the sums, of recent postings, and of the round. */
const MAX_AGE_S = { sums: 60, recent: 60, round: 300 };

/** The state of the audit, with ages in seconds on the database's clock. */
export type AuditState = {
  proven_at: string | null;
  proven_age_s: number | null;
  sums_at: string | null;
  sums_age_s: number | null;
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

type Proofs = Pick<AuditState, "proven_at" | "sums_at" | "recent_at"> & { modes: ModeSum[] } & Record<
    "differences" | "last_differences" | "recent_differences" | "recent_before",
    Difference[]
  >;

/** Since when each of its proofs was made, null while one never was, and all that they found. */
export function standingOf(proofs: Proofs): { proven_at: string | null; differences: Difference[] } {
  const { modes, differences, last_differences, recent_differences, recent_before } = proofs;
  const times = [proofs.proven_at, proofs.sums_at, proofs.recent_at].toSorted(
    (a, b) => Date.parse(a ?? "1970-01-01") - Date.parse(b ?? "1970-01-01"),
  );
  const found = [
    ...sumDifferences(modes),
    ...recent_differences,
    ...recent_before,
    ...differences,
    ...last_differences,
  ];
  return { proven_at: times[0] ?? null, differences: firstDistinct(found) };
}

/** The parts of the ledger's proof, each with its age. */
export function ledgerParts(state: AuditState): AuditPart[] {
  const { proven_at, proven_age_s, recent_at, recent_age_s, recent_to, last_round, last_round_at, this_round } = state;
  const part = (given: Pick<AuditPart, "name" | "compares" | "differences"> & Partial<AuditPart>): AuditPart => ({
    from: null,
    to: null,
    proven_at,
    age_s: proven_age_s,
    max_age_s: MAX_AGE_S.round,
    notes: [],
    ...given,
    holds: given.differences.length === 0,
  });
  return [
    part({
      name: "sums",
      compares: "all balances of a mode sum to zero",
      proven_at: state.sums_at,
      age_s: state.sums_age_s === null ? null : Math.round(state.sums_age_s),
      max_age_s: MAX_AGE_S.sums,
      differences: state.sums,
    }),
    part({
      name: "recent postings",
      compares: "each transaction with its entries, and each entry with the one before it",
      to: recent_to,
      proven_at: recent_at,
      age_s: recent_age_s,
      max_age_s: MAX_AGE_S.recent,
      differences: state.recent,
    }),
    part({
      name: "all postings",
      compares: "every chain of entries, transaction, balance and settlement, in continuous rounds",
      differences: state.round,
      notes: [
        last_round_at ? `the last round proved ${last_round} entries by ${last_round_at}` : "no round has finished yet",
        `this round has proven ${this_round} entries`,
      ],
    }),
  ];
}
