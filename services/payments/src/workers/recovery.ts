import type { Bus, Recover } from "@collect/bus";
import type { Pool } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { recoverInbound } from "../inbound/workers/recovery.ts";
import { recoverOutbound } from "../outbound/workers/recovery.ts";

/** How payments catches up after a restore: first what went out, which must not go out twice, then what came in. */
export function createRecover(deps: { pool: Pool; bus: Bus; log: Logger }): Recover {
  return async (recovery, progress) => {
    await recoverOutbound(deps, recovery, progress);
    await recoverInbound(deps, recovery, progress);
  };
}
