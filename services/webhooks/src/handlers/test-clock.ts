import { answer, type Request } from "@collect/bus";
import { type Mode, moveTestClock, Problem } from "@collect/contracts";
import { moveTestClock as moveCopy, type Pool } from "@collect/database";
import { releaseDue, waitingDeliveries } from "../store/deliveries-of-clock.ts";

/** The sender; `wake` says that deliveries of this mode are due now. */
type Wakeful = { wake(mode: Mode): void };

/** The copy of a merchant's test clock, and the retries that are due by it. */
export function testClockRequests({ pool, sender }: { pool: Pool; sender: Wakeful }): Request[] {
  return [
    answer(moveTestClock.webhooks, async ({ merchant, to }) => {
      if (merchant.mode !== "test") throw new Problem("test_key_required", "Live mode has no clock of its own.");
      const { at, now } = await moveCopy(pool, merchant.id, to);
      if ((await releaseDue(pool, merchant.id, now)) > 0) sender.wake("test");
      const { isBusy, nextAt } = await waitingDeliveries(pool, merchant.id, now);
      return { at, is_busy: isBusy, next_at: nextAt };
    }),
  ];
}
