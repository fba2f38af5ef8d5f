import { setTimeout as sleep } from "node:timers/promises";
import { type Component, interval, type Logger } from "@collect/runtime";
import type { Pool } from "./pool.ts";

/** How long data is kept, and the statement that removes what is older: at most `max` rows; it returns how many. */
export type Retention = {
  name: string;
  days: number;
  remove(pool: Pool, limits: { days: number; max: number }): Promise<number>;
};

/** The interval, and the rows per statement. */
const EVERY_MS = 60 * 60_000;
const ROWS_PER_STATEMENT = 1_000;
/** After each statement comes a pause of so many times its duration: a tenth of a connection removes some thousand rows a second. */
const PAUSES = 9;
/** The time of one rule in one run: what an outage has left takes several runs, and the other rules have their turn. */
const RULE_MAX_MS = 60 * 60_000;

/**
 * Removes data past its retention. Replicas may run it concurrently. A rule that fails is retried with the next run and does
 * not keep the others from theirs.
 */
export function enforceRetention(
  pool: Pool,
  { log, rules, everyMs = EVERY_MS }: { log: Logger; rules: Retention[]; everyMs?: number },
): Component {
  async function enforce({ name, days, remove }: Retention, signal: AbortSignal, stepped: () => void): Promise<void> {
    const deadline = performance.now() + RULE_MAX_MS;
    let removed = 0;
    let hasNext = true;
    while (hasNext && performance.now() < deadline && !signal.aborted) {
      const began = performance.now();
      const rows = await remove(pool, { days, max: ROWS_PER_STATEMENT });
      stepped();
      removed += rows;
      hasNext = rows === ROWS_PER_STATEMENT;
      if (hasNext) await sleep(PAUSES * (performance.now() - began), undefined, { signal }).catch(() => {});
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
