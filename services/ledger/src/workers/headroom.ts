import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { readFullAccounts } from "../store/headroom.ts";

/** From half to full takes years at what may come in a day: once in ten minutes is often. */
const EVERY_MS = 600_000;

/**
 * Says in time that a ledger account will be full one day: at the end of a BIGINT nothing could be posted to it any more. A
 * replica that writes other rows of our own accounts (`LEDGER_SHARD`) begins with empty ones.
 */
export function createHeadroomWorker({
  pool,
  log,
  everyMs = EVERY_MS,
}: {
  pool: Pool;
  log: Logger;
  everyMs?: number;
}): Component {
  return interval({ name: "headroom", everyMs, log }, async () => {
    for (const { id, balance } of await readFullAccounts(pool))
      log.error(
        { alarm: "headroom", ledger_account: id, balance: balance.toString() },
        "a ledger account is over half full",
      );
  });
}
