import { type Mode, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { readSwitch } from "../store/payout-switch.ts";

/** When a client asks again: the operator's stop lasts minutes or hours, not seconds. */
const RETRY_AFTER_S = 300;

/** Refuses a new live order while the operator has stopped payouts. Test transfers have no switch. */
export async function assertPayoutsRun(pool: Pool, mode: Mode): Promise<void> {
  if (mode === "test" || !(await readSwitch(pool)).stopped) return;
  throw new Problem(
    "payouts_stopped",
    "Payouts are stopped for the moment. Nothing was reserved; send the same request again later.",
    { retryAfterS: RETRY_AFTER_S },
  );
}
