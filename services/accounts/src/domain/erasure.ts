import { createHash } from "node:crypto";
import { type Person, Problem, type Survey } from "@collect/contracts";

/** Derived from the person, so that an order that a restore lost is the same erasure when it is given again. */
export function erasureId({ merchant, kind, reference }: Person): string {
  const person = JSON.stringify([merchant.id, merchant.mode, kind, reference]);
  return `ers_${createHash("sha256").update(person).digest("hex").slice(0, 24)}`;
}

/** Refuses while something about the person can still change or be sent: it would be erased halfway. */
export function assertNothingInProgress(found: Survey): void {
  const open = [
    [found.open_sessions, "payments that are still open", "wait until they are paid or expire"],
    [found.unfinished_transfers, "transfers that are being credited", "wait a minute"],
    [found.pending_deliveries, "events that are still being delivered", "wait until they are delivered or given up"],
  ].filter(([count]) => count !== 0);
  if (open.length === 0) return;
  const what = open.map(([count, things, remedy]) => `${count} ${things} (${remedy})`).join(", ");
  throw new Problem("still_in_progress", `Nothing was erased. In progress: ${what}. Then repeat the command.`);
}
