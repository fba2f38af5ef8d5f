import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { countMissing } from "../store/missing.ts";
import type { Refresh } from "../use-cases/refresh.ts";

type Deps = { pool: Pool; log: Logger; refresh: Refresh; everyMs: number };

/** Goes on reading and matching, and raises an alarm at once for money that we have booked and the bank has not. */
export function createComparison({ pool, log, refresh, everyMs }: Deps): Component {
  return interval({ name: "comparison", everyMs, log }, async () => {
    await refresh();
    const { count, keys } = await countMissing(pool);
    if (count > 0) log.error({ alarm: "missing_at_bank", count, keys }, "the bank's statements lack booked movements");
  });
}
