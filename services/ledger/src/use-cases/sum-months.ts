import { type MerchantScope, Problem } from "@collect/contracts";
import { createKeyedQueue } from "@collect/runtime";
import type { Period, sumMovements } from "../store/books.ts";

type Summed = ReturnType<typeof sumMovements>;

/** How many sums of a merchant wait for the one that runs. */
const WAITING_MAX = 20;

/**
 * Sums a merchant's months one after the other, and what is asked for twice at once only once: a month of a large merchant takes
 * seconds of a connection that all merchants' lists share.
 */
export function createSums(
  sum: (merchant: MerchantScope, period: Period) => Summed,
): (merchant: MerchantScope, period: Period) => Summed {
  const running = new Map<string, Summed>();
  const enqueue = createKeyedQueue({
    waitingMax: WAITING_MAX,
    refuse: () =>
      new Problem("service_unavailable", "Too many statements at once for this merchant. Try again shortly."),
  });
  return (merchant, period) => {
    const { start, end } = period;
    const ends = [start, end].flatMap(({ collected, payouts, settled }) => [collected, payouts, settled]);
    const key = [merchant.mode, merchant.id, ...ends].join(" ");
    const summed =
      running.get(key) ?? enqueue(merchant.id, () => sum(merchant, period)).finally(() => running.delete(key));
    running.set(key, summed);
    return summed;
  };
}
