import { isTransient, type Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import type { LoggedCall } from "../domain/call-log.ts";
import { createShares, type Shares } from "../domain/log-share.ts";
import { deleteCalls, insertCalls } from "../store/api-calls.ts";

/** How the request log is written: the interval, the size of the queue, and the calls per statement. */
export type Logging = { everyMs: number; waitingMax: number; batchMax: number; ofMerchant: Shares };
/** The queue has room for some seconds at a gateway's maximum rate; 20,000 calls are about 10 MB, and 120 MB if each has the longest content. A merchant's share is a tenth. */
export const LOGGING: Logging = {
  everyMs: 1_000,
  waitingMax: 20_000,
  batchMax: 2_000,
  ofMerchant: { minuteMax: 600, waitingMax: 2_000, contentMax: 60 },
};

export type CallLog = {
  /** Queues a call to be logged, without waiting. */
  enqueue(call: LoggedCall): void;
  component: Component;
};

/**
 * The request log: calls are queued in memory and written in batches. If they arrive faster than they are written, or the
 * database is down for long, calls beyond the queue's size are dropped and their number is logged: the log never delays a call.
 * Calls above a merchant's share are dropped in the same way; well below it they lose their content already, since the database is
 * the one that every key is checked in.
 */
export function createCallLog(
  pool: Pool,
  { log, logging = LOGGING, now = Date.now }: { log: Logger; logging?: Logging; now?: () => number },
): CallLog {
  const shares = createShares(logging.ofMerchant);
  const waiting: LoggedCall[] = [];
  let dropped = 0;
  let aboveShare = 0;

  async function write(): Promise<void> {
    if (dropped > 0) log.warn({ dropped }, "calls were not logged");
    if (aboveShare > 0) log.info({ calls: aboveShare }, "calls above a merchant's share were not logged");
    dropped = 0;
    aboveShare = 0;
    // Calls queued during this write are left for the next one, so that a stop ends.
    for (let left = waiting.length; left > 0; left -= logging.batchMax) {
      const batch = waiting.slice(0, Math.min(left, logging.batchMax));
      await insertCalls(pool, batch).catch((error) => {
        // While the database is down, calls stay queued. A batch that it permanently refuses would block all later ones.
        if (isTransient(error)) throw error;
        dropped += batch.length;
        log.error({ err: error }, "calls cannot be logged");
      });
      waiting.splice(0, batch.length);
      shares.release(batch);
    }
  }

  const writing = interval({ name: "call log", everyMs: logging.everyMs, log }, write);
  return {
    enqueue(call) {
      if (waiting.length >= logging.waitingMax) return void dropped++;
      const admitted = shares.admit(call, now());
      if (admitted) waiting.push(admitted);
      else aboveShare++;
    },
    component: {
      ...writing,
      stop: async () => {
        await writing.stop();
        await write();
      },
    },
  };
}

/** The retention of calls, and how older ones are deleted: the interval, the rows per statement, and the statements per run. */
export const RETENTION = { days: 7, everyMs: 60_000, batchMax: 2_000, batchesMax: 500 };

/** Deletes calls past their retention. Replicas may run it concurrently. */
export function deleteOldCalls(
  pool: Pool,
  { log, retention = RETENTION }: { log: Logger; retention?: typeof RETENTION },
): Component {
  return interval({ name: "call log retention", everyMs: retention.everyMs, log }, async (signal) => {
    for (let batch = 0; batch < retention.batchesMax && !signal.aborted; batch++) {
      const deleted = await deleteCalls(pool, { days: retention.days, max: retention.batchMax });
      if (deleted < retention.batchMax) return;
    }
  });
}
