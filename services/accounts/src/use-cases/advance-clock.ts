import { setTimeout as sleep } from "node:timers/promises";
import type { Bus } from "@collect/bus";
import {
  type ClockedService,
  instantOf,
  type MerchantScope,
  moveTestClock,
  type RequestContext,
} from "@collect/contracts";
import { moveTestClock as moveClock, type Pool, readTimeOf } from "@collect/database";
import { hasTestMoneyInFlight } from "../store/test-clocks.ts";

/** How long one call goes on, and the pauses before it asks again whether what was due is done: they double. */
const WORK_MS = 20_000;
const [PAUSE_MS, PAUSE_MAX_MS] = [10, 500];

type Deps = { pool: Pool; bus: Bus };

/**
 * Advances the clock to this time, from one due time to the next: at each, everything in flight is first let through to its end, so
 * that things happen in the order of their times and are stamped with them. Returns false if the call's time was over before the clock
 * was there and everything due was done. Whatever dies here, the clock stands at one of these times, and the next call goes on from it.
 */
export async function advanceClock(
  { pool, bus }: Deps,
  { merchant, target }: { merchant: MerchantScope; target: Date },
  context: RequestContext,
): Promise<boolean> {
  const deadline = performance.now() + WORK_MS;
  let to = await readTimeOf(pool, merchant);
  let pauseMs = PAUSE_MS;
  while (performance.now() < deadline) {
    const now = new Date((await moveClock(pool, merchant.id, instantOf(to))).now);
    const { isBusy, nextAt, at } = await moveAll(bus, { merchant, to: now }, context);
    // A copy is further ahead than this database, which was restored.
    if (at > now) to = at;
    else if (isBusy || (await hasTestMoneyInFlight(pool, merchant.id))) {
      await sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS);
    } else if (now >= target) return true;
    else {
      to = nextAt && nextAt < target ? nextAt : target;
      pauseMs = PAUSE_MS;
    }
  }
  return false;
}

/** Moves every copy and gathers what is due: payments last, because the ledger and webhooks stamp what it does. */
async function moveAll(bus: Bus, { merchant, to }: { merchant: MerchantScope; to: Date }, context: RequestContext) {
  const move = (service: ClockedService) =>
    bus.request(moveTestClock[service], { merchant, to: instantOf(to) }, context);
  const states = [...(await Promise.all([move("ledger"), move("webhooks")])), await move("payments")];
  const waits = states.flatMap(({ next_at }) => (next_at === null ? [] : [new Date(next_at)]));
  return {
    isBusy: states.some(({ is_busy }) => is_busy),
    nextAt: waits.toSorted((a, b) => a.getTime() - b.getTime())[0],
    at: new Date(Math.max(...states.map(({ at }) => Date.parse(at)))),
  };
}
