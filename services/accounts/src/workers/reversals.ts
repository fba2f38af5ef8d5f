import type { Bus, Epochs } from "@collect/bus";
import type { Pool } from "@collect/database";
import { type Component, failpoint, interval, type Logger } from "@collect/runtime";
import type { Partners } from "../domain/partners.ts";
import { claimDueReversals } from "../store/reversals.ts";
import { publishReversals } from "../use-cases/publish-reversals.ts";
import { decideReversal } from "../use-cases/take-reversals.ts";

type Deps = {
  pool: Pool;
  bus: Bus;
  log: Logger;
  epochs: Pick<Epochs, "isCurrent">;
  ownBank: Partners["own"];
  everyMs: number;
};

export const REVERSALS_EVERY_MS = 1_000;
/** In one round. */
const DRIVEN_MAX = 100;

/** Drives what banks took back: decides once its credit is complete, and publishes until the merchant's event is recorded. */
export function createReversalWorker({ pool, bus, log, epochs, ownBank, everyMs }: Deps): Component {
  return interval({ name: "reversals", everyMs, log }, async () => {
    if (!epochs.isCurrent()) return;
    const due = await claimDueReversals(pool, DRIVEN_MAX);
    if (due.length === 0) return;
    for (const reversal of due) if (!reversal.isAdmitted) await decideReversal({ pool, log, ownBank }, reversal);
    failpoint("committed");
    await publishReversals(
      { pool, bus },
      due.map(({ reversalId }) => reversalId),
    );
  });
}
