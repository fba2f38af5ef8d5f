import { type Consumer, consumeByStatement } from "@collect/bus";
import { sessionChanged } from "@collect/contracts";
import { applyNewerSnapshots } from "../store/session-views.ts";

/** Keeps the copies of sessions current. Repeats and late events change nothing. */
export function acceptSessionChanges(): Consumer {
  return consumeByStatement(sessionChanged, { batchMax: 300 }, ({ tx }, snapshots) =>
    applyNewerSnapshots(tx, snapshots),
  );
}
