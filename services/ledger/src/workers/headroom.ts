import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { readFullAccounts } from "../store/headroom.ts";

/** From half to full takes years at the daily volume: once in ten minutes is often enough. */
const EVERY_MS = 600_000;

/**
 * Raises an alarm long before a ledger account is full: at the maximum of a BIGINT nothing more can be posted to it. A
 * replica with another `LEDGER_SHARD` starts with empty rows of our own accounts.
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
