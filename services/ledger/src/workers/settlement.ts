import { MODES } from "@collect/contracts";
import { type ByMode, isTransient, type Pool, readClock, transaction } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { settlementsComplete, settlementsDue } from "@collect/telemetry";
import { DEFAULT_SETTLEMENT_SCHEDULE, latestCutOff } from "../domain/settlement.ts";
import { type Collecting, pageOfCollecting, schedulesInUse } from "../store/settlement-schedules.ts";
import { settle } from "../store/settlements.ts";

/** The interval, the accounts per page, and the clock: the database's, which the replicas share. */
export type Settling = { everyMs: number; pageMax: number; readNow: (pool: Pool) => Promise<Date> };

export const SETTLING: Settling = { everyMs: 60_000, pageMax: 200, readNow: readClock };

type Deps = { pool: Pool; log: Logger; settling: Settling };

/**
 * Settles every merchant up to its latest cut-off. With any number of replicas, and if one crashes at any time, each cut-off
 * is settled once: see `settle`.
 */
export function createSettlementWorker(deps: Deps): Component {
  // The cut-offs of the last complete pass over all merchants. Money collected after a cut-off is not part of it, so there
  // is nothing to do until the next cut-off, or until a schedule changes.
  let done: string | undefined;
  return interval({ name: "settlement", everyMs: deps.settling.everyMs, log: deps.log }, async (signal, stepped) => {
    const now = await deps.settling.readNow(deps.pool);
    const due = await cutOffsInUse(deps.pool, now);
    if (due === done) return report({ live: 0, test: 0 });
    const failed: ByMode<number> = { live: 0, test: 0 };
    for await (const account of collecting(deps)) {
      if (signal.aborted) return;
      stepped();
      if (!(await settleIfDue(deps, account, now))) failed[account.mode]++;
    }
    if (failed.live + failed.test === 0) done = due;
    report(failed);
  });
}

/** After a complete pass: the merchants that it could not settle. */
function report(failed: ByMode<number>): void {
  for (const mode of MODES) {
    settlementsDue.set({ mode }, failed[mode]);
    if (failed[mode] === 0) settlementsComplete.setToCurrentTime({ mode });
  }
}

async function cutOffsInUse(pool: Pool, now: Date): Promise<string> {
  const schedules = [{ ...DEFAULT_SETTLEMENT_SCHEDULE, changedAt: "" }, ...(await schedulesInUse(pool))];
  return JSON.stringify(schedules.map((schedule) => [schedule, latestCutOff(now, schedule)]));
}

/** Every Collected account, a page at a time. */
async function* collecting({ pool, settling: { pageMax } }: Deps): AsyncGenerator<Collecting> {
  for (const mode of MODES) {
    let page = await pageOfCollecting(pool, { mode, after: undefined, pageMax });
    while (page.length > 0) {
      yield* page;
      page = await pageOfCollecting(pool, { mode, after: page.at(-1)?.id, pageMax });
    }
  }
}

/** False for a merchant that cannot be settled, which must not block the others: the alarm repeats until it can. */
async function settleIfDue({ pool, log }: Deps, account: Collecting, now: Date): Promise<boolean> {
  const merchant = { id: account.merchant_id, mode: account.mode };
  const cutOff = latestCutOff(now, {
    delayDays: account.delay_days ?? DEFAULT_SETTLEMENT_SCHEDULE.delayDays,
    atMinutes: account.at_minutes ?? DEFAULT_SETTLEMENT_SCHEDULE.atMinutes,
  });
  if (!isDue(account, cutOff)) return true;
  const line = { subject: "settlement", merchant_id: merchant.id, mode: merchant.mode, cut_off: cutOff.toISOString() };
  try {
    const settlement = await transaction(pool, (tx) => settle(tx, { merchant, cutOff }));
    if (settlement) log.info({ ...line, reference: settlement.reference, outcome: "settled" }, "settlement");
    return true;
  } catch (error) {
    if (isTransient(error)) throw error;
    log.error({ ...line, alarm: "not_settled", err: error }, "a merchant cannot be settled");
    return false;
  }
}

/** An entry was recorded before the cut-off and after the last settlement, and that settlement is of an earlier cut-off. */
function isDue({ settled_before, next_recorded_at }: Collecting, cutOff: Date): boolean {
  const isBefore = (instant: string) => Date.parse(instant) < cutOff.getTime();
  return (
    next_recorded_at !== null && isBefore(next_recorded_at) && (settled_before === null || isBefore(settled_before))
  );
}
