import { answer } from "@collect/bus";
import { getSettlementSchedule, instantOf, runSettlement, setSettlementSchedule } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { minutesOf, nextSettlement, timeOf } from "../domain/settlement.ts";
import { readSchedule, setSchedule } from "../store/settlement-schedules.ts";
import { settle } from "../store/settlements.ts";
import type { Settling } from "../workers/settlement.ts";
import { shownSettlement } from "./settlement-history.ts";

/** Settlement on the operator's demand, and when it happens by itself. */
export const settlementRequests = (pool: Pool, readNow: Settling["readNow"]) => [
  answer(runSettlement, async ({ merchant }) => {
    const settlement = await transaction(pool, (tx) => settle(tx, { merchant, cutOff: null }));
    return { settlement: settlement && shownSettlement(settlement) };
  }),
  answer(getSettlementSchedule, async ({ merchant }) => {
    const schedule = await readSchedule(pool, merchant.id);
    const next_at = instantOf(nextSettlement(await readNow(pool), schedule));
    return { delay_days: schedule.delayDays, at: timeOf(schedule.atMinutes), next_at };
  }),
  answer(setSettlementSchedule, async ({ merchant_id, delay_days, at }) => {
    const schedule = { delayDays: delay_days, atMinutes: minutesOf(at) };
    const set = await setSchedule(pool, { merchantId: merchant_id, ...schedule });
    return { merchant_id: set.merchant_id, delay_days: set.delay_days, at: timeOf(set.at_minutes) };
  }),
];
