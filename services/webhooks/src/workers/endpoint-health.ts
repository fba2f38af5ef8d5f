import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { type Failing, findFailing, storeEnded, storeFailing } from "../store/endpoint-health.ts";

const EVERY_MS = 15_000;

/** Notices when a live endpoint begins to fail and when it acknowledges events again: one change each, however many attempts. */
export function watchEndpoints(pool: Pool, { log, everyMs = EVERY_MS }: { log: Logger; everyMs?: number }): Component {
  return interval({ name: "endpoint health", everyMs, log }, async () => {
    await storeEnded(pool);
    const failing = await findFailing(pool);
    await storeFailing(pool, failing.map(described));
    for (const { merchant_id, mode, status } of failing)
      log.info({ merchant_id, mode, status }, "a webhook endpoint has begun to fail");
  });
}

const described = ({ url, status, error, ...row }: Failing) => ({
  ...row,
  host: new URL(url).host,
  failure: status === null ? (error ?? "no response") : `HTTP ${status}`,
});
