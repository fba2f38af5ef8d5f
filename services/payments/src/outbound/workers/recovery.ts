import { type Bus, pages, type Recover } from "@collect/bus";
import { listTransferReserves } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { haltBatches } from "../store/batch-steps.ts";
import {
  forgetWhatWasUnknown,
  markReservedAsSending,
  reconcileSince,
  restoreTransfers,
} from "../store/transfer-recovery.ts";

/** Transfers are restored from what the ledger decided about them; from then on only their status is queried. */
export async function recoverOutbound(
  { pool, bus, log }: { pool: Pool; bus: Bus; log: Logger },
  ...[recovery, progress]: Parameters<Recover>
): Promise<void> {
  await progress.step("transfers");
  await markReservedAsSending(pool);
  await forgetWhatWasUnknown(pool);
  // People may have paid lines in another way in the time that was lost: they decide how a file goes on.
  await haltBatches(pool);
  const since = await reconcileSince(pool, recovery.restoredTo);
  const lists = pages((after) => bus.request(listTransferReserves, { since, after }));
  for await (const reserves of lists) {
    for (const transfer of await restoreTransfers(pool, reserves))
      log.error(
        { alarm: "order_unknown", transfer },
        "the ledger reserves money for a transfer whose order is unknown",
      );
    await progress.step("transfers");
  }
}
