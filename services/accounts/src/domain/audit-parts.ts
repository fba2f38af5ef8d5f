import type { AuditPart, Mode } from "@collect/contracts";
import type { DifferingTransfer } from "./completeness.ts";

/** For how long nothing newer may have been proven. */
const MAX_AGE_S = { recent: 60, history: 300, now: 60 };

/** An inbound transfer is to be at the end of its path after so long; a simulated one is after ten seconds. */
export const OVERDUE_S = 120;

export type Standing = {
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
};

/** What accounts proves, each part with its age on the database's clock. */
export function accountsParts(standing: Standing): AuditPart[] {
  const { recent_from, recent_to, walked_to, proven_at } = standing;
  const content = "accounts, ledger, payments and webhooks: each transfer, by merchant, amount, fee, net, customer, ";
  return [
    part({
      name: "recent money in",
      compares: `${content}references, numbers and the event's body, up to seconds ago`,
      from: recent_from,
      to: recent_to,
      proven_at,
      age_s: standing.recent_age_s,
      max_age_s: MAX_AGE_S.recent,
      differences: standing.differences.flatMap(named),
      notes: standing.waiting.map(({ reason, count }) => `${count} minutes to be compared again: ${REASONS[reason]}`),
    }),
    part({
      name: "history",
      compares: "the same, all that ever came in, backwards, round and round",
      from: walked_to,
      to: recent_to,
      proven_at: standing.walked_at,
      age_s: standing.walk_age_s,
      max_age_s: MAX_AGE_S.history,
      notes: [standing.walk_ended_at ? `the last round ended ${standing.walk_ended_at}` : "no round is over yet"],
    }),
    part({
      ...ofNow(standing),
      name: "unfinished money in",
      compares: `every transfer taken in is at the end of its path within ${OVERDUE_S / 60} minutes`,
      differences: standing.unfinished
        .filter(({ overdue }) => overdue > 0)
        .map(({ mode, overdue, oldest_received_at }) => ({
          what: `${overdue} unfinished for over ${OVERDUE_S / 60} minutes, the oldest received ${oldest_received_at}`,
          where: `mode ${mode}`,
        })),
      notes: standing.unfinished.map(({ mode, count }) => `${mode}: ${count} under way`),
    }),
    part({
      ...ofNow(standing),
      name: "quarantine",
      compares: "transfers set aside for a person to decide: shown, and no failure",
      notes: standing.quarantined.map(({ mode, count }) => `${mode}: ${count} quarantined`),
    }),
  ];
}

const REASONS: Record<string, string> = {
  differs: "they differ",
  under_way: "money of theirs was under way",
  posted: "the ledger posted to them late",
};

const ofNow = ({ now }: Standing) => ({ proven_at: now, age_s: 0, max_age_s: MAX_AGE_S.now });

type Given = Pick<AuditPart, "name" | "compares" | "proven_at" | "age_s" | "max_age_s"> & Partial<AuditPart>;
function part(given: Given): AuditPart {
  const differences = given.differences ?? [];
  return { from: null, to: null, notes: [], ...given, differences, holds: differences.length === 0 };
}

/** A difference for each transfer that was found, or for the minute. */
function named({ mode, kind, minute, what, transfers }: Standing["differences"][number]) {
  const where = `${mode} ${kind} of ${minute}`;
  if (transfers.length === 0) return [{ what: `the services differ in ${what.join(", ") || "what they hold"}`, where }];
  return transfers.map((transfer) => ({
    what: transfer.what.join("; "),
    where: `${where}, ${transfer.intake_id} of merchant ${transfer.merchant_id ?? "none"}`,
  }));
}
