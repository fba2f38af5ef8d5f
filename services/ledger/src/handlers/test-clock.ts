import { answer, type Epochs, type Request } from "@collect/bus";
import { instantOf, type MerchantScope, moveTestClock, Problem } from "@collect/contracts";
import { moveTestClock as moveCopy, type Pool, transaction } from "@collect/database";
import { latestCutOff, settlementOf } from "../domain/settlement.ts";
import { oldestUnsettled, readSchedule } from "../store/settlement-schedules.ts";
import { settle } from "../store/settlements.ts";

type Deps = { pool: Pool; epochs: Pick<Epochs, "assertCurrent"> };

/** The copy of a merchant's test clock, and the settlement that is due by it. */
export function testClockRequests({ pool, epochs }: Deps): Request[] {
  return [
    answer(moveTestClock.ledger, async ({ merchant, to }) => {
      if (merchant.mode !== "test") throw new Problem("test_key_required", "Live mode has no clock of its own.");
      epochs.assertCurrent();
      const { at, now } = await moveCopy(pool, merchant.id, to);
      return { at, is_busy: false, next_at: await settleDue(pool, merchant, new Date(now)) };
    }),
  ];
}

/** Settles what is due, and returns when the rest will be; null without any. */
async function settleDue(pool: Pool, merchant: MerchantScope, now: Date): Promise<string | null> {
  const schedule = await readSchedule(pool, merchant.id);
  const dueAt = async () => {
    const recordedAt = await oldestUnsettled(pool, merchant);
    return recordedAt && settlementOf(recordedAt, schedule);
  };
  let next = await dueAt();
  if (next && next <= now) {
    const cutOff = latestCutOff(now, schedule);
    await transaction(pool, (tx) => settle(tx, { merchant, cutOff }));
    next = await dueAt();
  }
  return next && next > now ? instantOf(next) : null;
}
