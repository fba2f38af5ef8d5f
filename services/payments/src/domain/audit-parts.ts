import type { AuditPart, Mode } from "@collect/contracts";

export type Difference = { what: string; where: string };

/** No more differences are named than this: they show where to look, they are not a list to work off. */
export const NAMED_MAX = 50;

/** Each difference once, the first of them. */
export function named(differences: Difference[]): Difference[] {
  const distinct = new Map(differences.map((difference) => [JSON.stringify(difference), difference]));
  return [...distinct.values()].slice(0, NAMED_MAX);
}

/** For how long nothing newer may have been proven. */
const MAX_AGE_S = 300;
/** A session may be open for so long after its time was up, while money that came in time is under way. */
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

/** What was proven at once, and where the next page begins. */
export type ProvenPage = { cursor: string; proven: number; differences: Difference[] };

const COMPARES: Record<PartName, { name: string; compares: string }> = {
  sessions: {
    name: "sessions",
    compares: "each session's status and amount received with its collections: the last ten minutes, and all in rounds",
  },
  transfers: {
    name: "money out",
    compares:
      "each transfer with the ledger's reserve and ends. What the bank holds is asked of it transfer by transfer",
  },
  reserves: {
    name: "money out, from the ledger",
    compares: "each reserve and end of the ledger with a transfer of payments",
  },
};

/** What payments proves, each part with its age on the database's clock. */
export function paymentsParts(standing: {
  now: string;
  progress: Progress[];
  overdueTransfers: { mode: Mode; step: string; count: number; oldest_created_at: string }[];
  overdueSessions: { mode: Mode; count: number; oldest_expires_at: string }[];
}): AuditPart[] {
  const { now, progress, overdueTransfers, overdueSessions } = standing;
  const ofNow = { proven_at: now, age_s: 0 };
  const isLate = (expiresAt: string) => Date.parse(now) - Date.parse(expiresAt) > SESSION_OVERDUE_MS;
  return [
    ...progress.map((of) => {
      const { part: name, proven_at, age_s, this_round, last_round, last_round_at } = of;
      const differences = named([...of.recent_differences, ...of.differences, ...of.last_differences]);
      const last = last_round_at ? `the last round proved ${last_round} by ${last_round_at}` : "no round is over yet";
      return part({ ...COMPARES[name], proven_at, age_s, differences, notes: [last, `this round: ${this_round}`] });
    }),
    part({
      ...ofNow,
      name: "unfinished money out",
      compares: "every transfer goes on to its next step in time",
      differences: overdueTransfers.map(({ mode, step, count, oldest_created_at }) => ({
        what: `${count} stuck in ${step}, the oldest made ${oldest_created_at}`,
        where: `mode ${mode}`,
      })),
    }),
    part({
      ...ofNow,
      name: "overdue sessions",
      compares: `sessions whose time was up over ${SESSION_OVERDUE_MS / 60_000} minutes ago are closed`,
      differences: overdueSessions
        .filter(({ oldest_expires_at }) => isLate(oldest_expires_at))
        .map(({ mode, count, oldest_expires_at }) => ({
          what: `${count} past their time are open, the oldest since ${oldest_expires_at}`,
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
