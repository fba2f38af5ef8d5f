import { answer, type Bus, type Request } from "@collect/bus";
import { advanceTestClock, instantOf, type MerchantScope, Problem, readTestClock } from "@collect/contracts";
import { type Pool, readClock, readTimeOf } from "@collect/database";
import { clockTarget } from "../domain/test-clock.ts";
import { assertTestMode } from "../domain/test-mode.ts";
import { claimTestClock, releaseTestClock } from "../store/test-clocks.ts";
import { advanceClock } from "../use-cases/advance-clock.ts";

/** Longer than one call can take: after a crash the next one waits no longer than this. */
const LEASE_MS = 40_000;

/** The time in a merchant's test mode, which one call at a time advances. */
export function testClockRequests({ pool, bus }: { pool: Pool; bus: Bus }): Request[] {
  return [
    answer(advanceTestClock, async ({ merchant: { id, mode }, ...input }, context) => {
      const merchant = { id, mode };
      assertTestMode(merchant);
      const target = clockTarget(input, { now: await readTimeOf(pool, merchant), real: await readClock(pool) });
      if (!(await claimTestClock(pool, id, LEASE_MS)))
        throw new Problem("test_clock_advancing", "Another call is advancing the test clock.", { retryAfterS: 1 });
      try {
        const isDone = await advanceClock({ pool, bus }, { merchant, target }, context);
        return { ...(await clockOf(pool, merchant)), has_more: !isDone };
      } finally {
        await releaseTestClock(pool, id);
      }
    }),
    answer(readTestClock, async ({ merchant: { id, mode } }) => {
      assertTestMode({ id, mode });
      return clockOf(pool, { id, mode });
    }),
  ];
}

async function clockOf(pool: Pool, merchant: MerchantScope) {
  const [now, real] = [await readTimeOf(pool, merchant), await readClock(pool)];
  const ahead_by = Math.max(0, Math.round((now.getTime() - real.getTime()) / 1_000));
  return { now: instantOf(now), ahead_by, mode: merchant.mode };
}
