import type { AuditPart, Mode } from "@collect/contracts";

export type Difference = { what: string; where: string };

/** The most differences that are named: they show where to look; they are not a work list. */
export const NAMED_MAX = 50;

/** The distinct differences, up to the maximum. */
export function named(differences: Difference[]): Difference[] {
  const distinct = new Map(differences.map((difference) => [JSON.stringify(difference), difference]));
  return [...distinct.values()].slice(0, NAMED_MAX);
}

/** A part fails when its last proof is older than this. */
const MAX_AGE_S = 300;
/**
 * How long a session may stay open after its expiry, while transfers that were received in time are still in transit.
 */
const SESSION_OVERDUE_MS = 5 * 60_000;

export type PartName = "sessions" | "transfers" | "reserves";
export type Progress = {
  part: PartName;
  proven_at: string | null;
  age_s: number | null;
  this_round: bigint;
  last_round: bigint;
  last_round_at: string | null;
  differences: Difference[];
  last_differences: Difference[];
  recent_differences: Difference[];
};

/** One proven page, and the cursor of the next. */
export type ProvenPage = { cursor: string; proven: number; differences: Difference[] };

const COMPARES: Record<PartName, { name: string; compares: string }> = {
  sessions: {
    name: "sessions",
    compares:
      "each session's status and amount received with its collections: those of the last ten minutes on every run, and all of them in rounds",
  },
  transfers: {
    name: "money out",
    compares: "each transfer with its reserve and ends in the ledger. The bank is queried for each transfer separately",
  },
  reserves: {
    name: "money out, from the ledger",
    compares: "each reserve and end of the ledger with a transfer of payments",
  },
};

type TransfersAtStep = { mode: Mode; step: string; count: number; oldest_created_at: string };

/** The parts that payments proves, each with its age by the database's clock. */
export function paymentsParts(state: {
  now: string;
  progress: Progress[];
  unfinishedTransfers: TransfersAtStep[];
  overdueTransfers: TransfersAtStep[];
  overdueFiles: TransfersAtStep[];
  overdueSessions: { mode: Mode; count: number; oldest_expires_at: string }[];
}): AuditPart[] {
  const { now, progress, unfinishedTransfers, overdueTransfers, overdueFiles, overdueSessions } = state;
  const ofNow = { proven_at: now, age_s: 0 };
  const isLate = (expiresAt: string) => Date.parse(now) - Date.parse(expiresAt) > SESSION_OVERDUE_MS;
  return [
    ...progress.map((row) => {
      const { part: name, proven_at, age_s, this_round, last_round, last_round_at } = row;
      const differences = named([...row.recent_differences, ...row.differences, ...row.last_differences]);
      const last = last_round_at
        ? `the last round proved ${last_round} by ${last_round_at}`
        : "no round is complete yet";
      return part({ ...COMPARES[name], proven_at, age_s, differences, notes: [last, `this round: ${this_round}`] });
    }),
    part({
      ...ofNow,
      name: "unfinished money out",
      compares: "every transfer, and every file of transfers, reaches its next step in time",
      differences: [
        ...overdueTransfers.map(({ mode, step, count, oldest_created_at }) => ({
          what: `${count} stuck in ${step}, the oldest created ${oldest_created_at}`,
          where: `mode ${mode}`,
        })),
        ...overdueFiles.map(({ mode, step, count, oldest_created_at }) => ({
          what: `${count} files of transfers stuck in ${step}, the oldest uploaded ${oldest_created_at}`,
          where: `mode ${mode}`,
        })),
      ],
      notes: unfinishedTransfers.map(
        ({ mode, step, count, oldest_created_at }) =>
          `${mode}: ${count} ${step}, the oldest since ${oldest_created_at}`,
      ),
    }),
    part({
      ...ofNow,
      name: "overdue sessions",
      compares: `sessions that should have expired over ${SESSION_OVERDUE_MS / 60_000} minutes ago are closed`,
      differences: overdueSessions
        .filter(({ oldest_expires_at }) => isLate(oldest_expires_at))
        .map(({ mode, count, oldest_expires_at }) => ({
          what: `${count} overdue sessions are open, the oldest since ${oldest_expires_at}`,
          where: `mode ${mode}`,
        })),
    }),
  ];
}

function part(
  given: Omit<AuditPart, "from" | "to" | "max_age_s" | "holds" | "notes"> & { notes?: string[] },
): AuditPart {
  return { from: null, to: null, max_age_s: MAX_AGE_S, notes: [], ...given, holds: given.differences.length === 0 };
}
