import type { Epochs } from "@collect/bus";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { handOver } from "../store/replays.ts";

/** Events handed over in one statement. */
const BATCH_MAX = 200;
/**
 * A replay waits while its merchant has this many deliveries due or under way. What a receiver has failed to take waits for
 * its retry and is not counted: a replay to one that fails goes on, and may leave as many to retry as its range has events.
 */
const BACKLOG_MAX = 200;
/** How often it looks whether there is a replay that can go on. */
const EVERY_MS = 250;

/**
 * Hands ranges of the event log to the sender, a batch at a time, in turn with other merchants' replays. What it hands over is
 * due like any retry, so it is sent from the merchant's own places and delays nobody else's events.
 */
type Deps = { pool: Pool; log: Logger; leaseMs: number; epochs: Epochs };

export function createReplayer({ pool, log, leaseMs, epochs }: Deps): Component {
  return interval({ name: "replayer", everyMs: EVERY_MS, log }, async (signal, stepped) => {
    while (!signal.aborted && epochs.isCurrent()) {
      const handed = await handOver(pool, { batchMax: BATCH_MAX, backlogMax: BACKLOG_MAX, leaseMs });
      if (!handed) return;
      stepped();
      const { id: replay, merchant_id, mode, at_sequence, status } = handed;
      log.info({ replay, merchant_id, mode, at_sequence: at_sequence.toString(), outcome: status }, "replay");
    }
  });
}
