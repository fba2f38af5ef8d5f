import type { Epochs } from "@collect/bus";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { enqueueBatch } from "../store/replays.ts";

/** Events enqueued in one statement. */
const BATCH_MAX = 200;
/**
 * A replay waits while its merchant has this many deliveries due or claimed. Failed deliveries wait for their retry and are not
 * counted: a replay to a failing receiver continues, and may leave as many retries as its range has events.
 */
const BACKLOG_MAX = 200;
/** How often it checks for a replay that can proceed. */
const EVERY_MS = 250;

/**
 * Enqueues ranges of the event log for the sender, a batch at a time, alternating with other merchants' replays. The deliveries
 * are due like any retry, so they use the merchant's own slots and do not delay other merchants' events.
 */
type Deps = { pool: Pool; log: Logger; leaseMs: number; epochs: Epochs };

export function createReplayer({ pool, log, leaseMs, epochs }: Deps): Component {
  return interval({ name: "replayer", everyMs: EVERY_MS, log }, async (signal, stepped) => {
    while (!signal.aborted && epochs.isCurrent()) {
      const enqueued = await enqueueBatch(pool, { batchMax: BATCH_MAX, backlogMax: BACKLOG_MAX, leaseMs });
      if (!enqueued) return;
      stepped();
      const { id: replay, merchant_id, mode, at_sequence, status } = enqueued;
      log.info({ replay, merchant_id, mode, at_sequence: at_sequence.toString(), outcome: status }, "replay");
    }
  });
}
