import { answer, type Request } from "@collect/bus";
import {
  drainPayouts,
  getPayoutState,
  type Result,
  releasePayouts,
  reviewPayout,
  showPayouts,
  startPayouts,
  stopPayouts,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { TransferTimes } from "../domain/transfer-times.ts";
import { countAwaitingApproval } from "../store/approvals.ts";
import { countHeld, countInFlight, releaseHeld } from "../store/held-transfers.ts";
import { readSwitch, setSwitch } from "../store/payout-switch.ts";
import { countBatchesAwaitingApproval } from "../store/transfer-batches.ts";
import { followUpNow } from "../store/transfer-steps.ts";
import { drain } from "../use-cases/drain.ts";

type Worker = { wake(mode: "live"): void; wakeFollowUps(mode: "live"): void };
type Deps = { pool: Pool; times: Pick<TransferTimes, "leaseMs">; worker: Worker };

/** The operator's switch for live payouts, and the payouts that are held by it or by a suspension. */
export function payoutRequests({ pool, times: { leaseMs }, worker }: Deps): Request[] {
  const show = async (): Promise<Result<typeof showPayouts>> => {
    const [{ stopped, reason, changedAt }, held, in_flight] = await Promise.all([
      readSwitch(pool),
      countHeld(pool, null),
      countInFlight(pool, { merchantId: null, leaseMs }),
    ]);
    return { stopped: stopped ? { reason: reason ?? "", since: changedAt } : null, held, in_flight };
  };
  return [
    answer(showPayouts, show),

    answer(stopPayouts, async ({ reason }, { requestId }) => {
      await setSwitch(pool, { stopped: true, reason, requestId });
      await drain({ pool, merchantId: null, leaseMs });
      return show();
    }),

    answer(startPayouts, async ({ reason }, { requestId }) => {
      await setSwitch(pool, { stopped: false, reason, requestId });
      await releaseHeld(pool, "payouts_stopped", null);
      worker.wake("live");
      return show();
    }),

    answer(drainPayouts, async ({ merchant_id: merchantId }) => ({
      in_flight: await drain({ pool, merchantId, leaseMs }),
    })),

    answer(releasePayouts, async ({ merchant_id }) => {
      const released = await releaseHeld(pool, "merchant_suspended", merchant_id);
      worker.wake("live");
      return { released };
    }),

    answer(reviewPayout, async (payout) => {
      const is_due = await followUpNow(pool, payout);
      worker.wakeFollowUps("live");
      return { is_due };
    }),

    answer(getPayoutState, async ({ merchant }) => {
      const [{ stopped, changedAt }, held, awaiting_approval, files_awaiting_approval] = await Promise.all([
        readSwitch(pool),
        countHeld(pool, merchant),
        countAwaitingApproval(pool, merchant),
        countBatchesAwaitingApproval(pool, merchant),
      ]);
      return {
        stopped_since: stopped ? changedAt : null,
        held: held.reduce((sum, { count }) => sum + count, 0),
        awaiting_approval,
        files_awaiting_approval,
      };
    }),
  ];
}
