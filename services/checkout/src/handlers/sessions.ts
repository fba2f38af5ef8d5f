import { type Consumer, consumeByStatement } from "@collect/bus";
import { sessionChanged } from "@collect/contracts";
import { applyNewerSnapshots } from "../store/session-views.ts";

/** Keeps the copies of sessions up to date. A repeat, or what came late, changes nothing. */
export function followSessions(): Consumer {
  return consumeByStatement(sessionChanged, { batchMax: 300 }, ({ tx }, snapshots) =>
    applyNewerSnapshots(tx, snapshots),
  );
}
