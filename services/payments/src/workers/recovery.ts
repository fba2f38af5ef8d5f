import type { Bus, Recover } from "@collect/bus";
import { eraseAgain } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { recoverInbound } from "../inbound/workers/recovery.ts";
import { recoverOutbound } from "../outbound/workers/recovery.ts";

/**
 * Recovery after a restore: outgoing transfers first, because they must not be paid twice, then incoming collections.
 */
export function createRecover(deps: { pool: Pool; bus: Bus; log: Logger }): Recover {
  return async (recovery, progress) => {
    await recoverOutbound(deps, recovery, progress);
    await recoverInbound(deps, recovery, progress);
    // The backup contains what was erased since.
    await progress.step("erasures");
    await deps.bus.request(eraseAgain, { since: recovery.restoredTo });
  };
}
