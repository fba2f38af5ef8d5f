import { answer } from "@collect/bus";
import { type Answer, runSettlement, setSettlementSchedule } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { minutesOf, timeOf } from "../domain/settlement.ts";
import { setSchedule } from "../store/settlement-schedules.ts";
import { settle } from "../store/settlements.ts";

/** Settlement on the operator's demand, and when it happens by itself. */
export const settlementRequests = (pool: Pool) => [
  answer(runSettlement, async ({ merchant }): Promise<Answer<typeof runSettlement>> => {
    const settlement = await transaction(pool, (tx) => settle(tx, { merchant, cutOff: null }));
    if (!settlement) return { settlement };
    const { from_version, to_version, ...rest } = settlement;
    return {
      settlement: { ...rest, currency: "NGN", from_version: Number(from_version), to_version: Number(to_version) },
    };
  }),
  answer(setSettlementSchedule, async ({ merchant_id, delay_days, at }) => {
    const schedule = { delayDays: delay_days, atMinutes: minutesOf(at) };
    const set = await setSchedule(pool, { merchantId: merchant_id, ...schedule });
    return { merchant_id: set.merchant_id, delay_days: set.delay_days, at: timeOf(set.at_minutes) };
  }),
];
