import { type Bus, pages, type Recover } from "@collect/bus";
import { listTransferReserves } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { learnTransfers, suspectReserved, unsureSince } from "../store/transfer-recovery.ts";

/** Transfers are learned from what the ledger decided about them, and from there on only asked about at the bank. */
export async function recoverOutbound(
  { pool, bus, log }: { pool: Pool; bus: Bus; log: Logger },
  ...[recovery, progress]: Parameters<Recover>
): Promise<void> {
  await progress.step("transfers");
  await suspectReserved(pool);
  const since = await unsureSince(pool, recovery.restoredTo);
  const lists = pages((after) => bus.request(listTransferReserves, { since, after }));
  for await (const reserves of lists) {
    for (const transfer of await learnTransfers(pool, reserves))
      log.error({ alarm: "order_unknown", transfer }, "the ledger holds money for a transfer that nobody can name");
    await progress.step("transfers");
  }
}
