import type { AuditPart, Mode } from "@collect/contracts";
import type { DifferingTransfer } from "./completeness.ts";
import type { OverdueReversals, ReversalProof } from "./reversal-proof.ts";

/** The maximum age of each proof. */
const MAX_AGE_S = { recent: 60, history: 300, reversals: 300, now: 60 };

/** The time within which an inbound transfer, or an admitted reversal, must be completed; a simulated one takes at most ten seconds. */
export const OVERDUE_S = 120;

export type AuditState = {
  now: string;
  proven_at: string | null;
  recent_from: string | null;
  recent_to: string | null;
  recent_age_s: number | null;
  walked_at: string | null;
  walked_to: string | null;
  walk_age_s: number | null;
  walk_ended_at: string | null;
  differences: {
    mode: Mode;
    kind: string;
    minute: string;
    what: string[];
    transfers: Omit<DifferingTransfer, "mode" | "kind">[];
  }[];
  waiting: { reason: string; count: number }[];
  unfinished: { mode: Mode; count: number; overdue: number; oldest_received_at: string }[];
  quarantined: { mode: Mode; count: number }[];
  reversals: ReversalProof;
  overdueReversals: OverdueReversals;
};

/** The parts of the proof of accounts, each with its age on the database's clock. */
export function accountsParts(state: AuditState): AuditPart[] {
  const { recent_from, recent_to, walked_to, proven_at } = state;
  const content = "accounts, ledger, payments and webhooks: each transfer, by merchant, amount, fee, net, customer, ";
  return [
    part({
      name: "recent money in",
      compares: `${content}references, numbers and the event's body, up to seconds ago`,
      from: recent_from,
      to: recent_to,
      proven_at,
      age_s: state.recent_age_s,
      max_age_s: MAX_AGE_S.recent,
      differences: state.differences.flatMap(differencesIn),
      notes: state.waiting.map(({ reason, count }) => `${count} minutes to compare again: ${REASONS[reason]}`),
    }),
    part({
      name: "history",
      compares: "the same for the whole history, backwards, in continuous rounds",
      from: walked_to,
      to: recent_to,
      proven_at: state.walked_at,
      age_s: state.walk_age_s,
      max_age_s: MAX_AGE_S.history,
      notes: [state.walk_ended_at ? `the last round ended ${state.walk_ended_at}` : "no round has finished yet"],
    }),
    reversalsPart(state),
    part({
      ...ofNow(state),
      name: "unfinished money in",
      compares: `every accepted transfer is completed within ${OVERDUE_S / 60} minutes`,
      differences: state.unfinished
        .filter(({ overdue }) => overdue > 0)
        .map(({ mode, overdue, oldest_received_at }) => ({
          what: `${overdue} unfinished for over ${OVERDUE_S / 60} minutes, the oldest received ${oldest_received_at}`,
          where: `mode ${mode}`,
        })),
      notes: state.unfinished.map(({ mode, count }) => `${mode}: ${count} in flight`),
    }),
    part({
      ...ofNow(state),
      name: "quarantine",
      compares: "transfers quarantined for a person to decide: listed, and not a failure",
      notes: state.quarantined.map(({ mode, count }) => `${mode}: ${count} quarantined`),
    }),
  ];
}

function reversalsPart({ reversals, overdueReversals: { count, oldest_admitted_at } }: AuditState): AuditPart {
  const { proven_at, age_s, last_round, last_round_at, differences, last_differences } = reversals;
  const found = new Map([...differences, ...last_differences].map((one) => [JSON.stringify(one), one]));
  const what = `${count} on their way for over ${OVERDUE_S / 60} minutes, the oldest admitted ${oldest_admitted_at}`;
  return part({
    ...{ name: "reversals", proven_at, age_s, max_age_s: MAX_AGE_S.reversals },
    compares: "accounts, ledger, payments and webhooks: each reversal, by merchant and amount, in continuous rounds",
    differences: [...found.values(), ...(count > 0 ? [{ what, where: "reversals" }] : [])],
    notes: [last_round_at ? `the last round compared ${last_round} by ${last_round_at}` : "no round has finished yet"],
  });
}

const REASONS: Record<string, string> = {
  differs: "they differ",
  under_way: "some of their transfers were in flight",
  posted: "the ledger posted some of their transfers late",
};

const ofNow = ({ now }: AuditState) => ({ proven_at: now, age_s: 0, max_age_s: MAX_AGE_S.now });

type Given = Pick<AuditPart, "name" | "compares" | "proven_at" | "age_s" | "max_age_s"> & Partial<AuditPart>;
function part(given: Given): AuditPart {
  const differences = given.differences ?? [];
  return { from: null, to: null, notes: [], ...given, differences, holds: differences.length === 0 };
}

/** A difference for each differing transfer, or for the minute. */
function differencesIn({ mode, kind, minute, what, transfers }: AuditState["differences"][number]) {
  const where = `${mode} ${kind} of ${minute}`;
  if (transfers.length === 0) return [{ what: `the services differ in ${what.join(", ") || "their records"}`, where }];
  return transfers.map((transfer) => ({
    what: transfer.what.join("; "),
    where: `${where}, ${transfer.intake_id} of merchant ${transfer.merchant_id ?? "none"}`,
  }));
}
