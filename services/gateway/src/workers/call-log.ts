import { isTransient, type Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import type { LoggedCall } from "../domain/call-log.ts";
import { createShares, type Shares } from "../domain/log-share.ts";
import { deleteCalls, insertCalls } from "../store/api-calls.ts";

/** How the request log is written: how often, how many calls wait at most, and how many go in one statement. */
export type Logging = { everyMs: number; waitingMax: number; batchMax: number; ofMerchant: Shares };
/** Some seconds of all that one gateway can answer; 20,000 calls that wait are about 10 MB. A merchant has a tenth of them. */
export const LOGGING: Logging = {
  everyMs: 1_000,
  waitingMax: 20_000,
  batchMax: 2_000,
  ofMerchant: { minuteMax: 600, waitingMax: 2_000 },
};

export type CallLog = {
  /** Takes note of a call, which does not wait for it. */
  note(call: LoggedCall): void;
  component: Component;
};

/**
 * The request log: calls are noted in memory and written together. When they come faster than they are written, or the
 * database is away for long, the ones above the bound are dropped and their number is logged: the log never holds up a call.
 * So are those above a merchant's share of it.
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
    // What comes while this writes is for the next time, so that a stop ends.
    for (let left = waiting.length; left > 0; left -= logging.batchMax) {
      const batch = waiting.slice(0, Math.min(left, logging.batchMax));
      await insertCalls(pool, batch).catch((error) => {
        // While the database is away they wait for it. What it refuses for good would stand in the way of all that follow.
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
    note(call) {
      if (waiting.length >= logging.waitingMax) dropped++;
      else if (shares.admits(call, now())) waiting.push(call);
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

/** How long calls are kept, and how they go: so many a statement, so often, until none is left that is older. */
export const KEEPING = { days: 7, everyMs: 60_000, batchMax: 2_000, batchesMax: 500 };

/** Removes calls that are older than they are kept. Replicas may do it at once. */
export function deleteOldCalls(
  pool: Pool,
  { log, keeping = KEEPING }: { log: Logger; keeping?: typeof KEEPING },
): Component {
  return interval({ name: "call log retention", everyMs: keeping.everyMs, log }, async (signal) => {
    for (let batch = 0; batch < keeping.batchesMax && !signal.aborted; batch++) {
      const deleted = await deleteCalls(pool, { days: keeping.days, max: keeping.batchMax });
      if (deleted < keeping.batchMax) return;
    }
  });
}
