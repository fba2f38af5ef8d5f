import { type Component, interval, type Logger } from "@collect/runtime";
import type { Pool } from "./pool.ts";

/** How long data is kept, and the statement that removes what is older: at most `max` rows; it returns how many. */
export type Retention = {
  name: string;
  days: number;
  remove(pool: Pool, limits: { days: number; max: number }): Promise<number>;
};

/** The interval, the rows per statement, and the statements per rule and run: what an outage has left takes several runs. */
const EVERY_MS = 60 * 60_000;
const ROWS_PER_STATEMENT = 1_000;
const STATEMENTS_MAX = 200;

/**
 * Removes data past its retention. Replicas may run it concurrently. A rule that fails is retried with the next run and does
 * not keep the others from theirs.
 */
export function enforceRetention(
  pool: Pool,
  { log, rules, everyMs = EVERY_MS }: { log: Logger; rules: Retention[]; everyMs?: number },
): Component {
  async function enforce({ name, days, remove }: Retention, signal: AbortSignal, stepped: () => void): Promise<void> {
    let removed = 0;
    for (let left = STATEMENTS_MAX; left > 0 && !signal.aborted; left--) {
      const rows = await remove(pool, { days, max: ROWS_PER_STATEMENT });
      stepped();
      removed += rows;
      if (rows < ROWS_PER_STATEMENT) break;
    }
    if (removed > 0) log.info({ what: name, days, rows: removed }, "removed past its retention");
  }

  return interval({ name: "retention", everyMs, log }, async (signal, stepped) => {
    for (const rule of rules)
      await enforce(rule, signal, stepped).catch((error) =>
        log.warn({ what: rule.name, err: error }, "retention will be enforced with the next run"),
      );
  });
}
