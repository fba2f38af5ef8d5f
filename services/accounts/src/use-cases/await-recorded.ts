import type { Bus } from "@collect/bus";
import { collectionRecorded, type Fact, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { readRecorded } from "../store/recorded.ts";

/** How long a caller waits for the end of the path, and how often the intake row is polled when no event wakes it. */
export const PATH_WAIT_MS = 10_000;
const POLL_EVERY_MS = 250;

type Recorded = Pick<Fact<typeof collectionRecorded>, "reference" | "deliveryNumber">;

/** Waits until the event of a transfer is recorded. After `withinMs` it throws `service_unavailable` with `whenLate`. */
export type AwaitRecorded = (intakeId: string, options: { withinMs: number; whenLate: string }) => Promise<Recorded>;

/** Woken by the event; otherwise polls the intake row, where the reference is stored. */
export function createAwaitRecorded(bus: Bus, pool: Pool): AwaitRecorded {
  const waiting = new Map<string, Set<(recorded: Recorded) => void>>();
  const wake = (facts: unknown[]) => {
    for (const fact of facts) {
      const recorded = collectionRecorded.data.safeParse(fact);
      if (!recorded.success) continue;
      for (const resolve of waiting.get(recorded.data.intakeId) ?? []) resolve(recorded.data);
    }
  };
  // Only test money is waited for; the events of live would cost each replica as much as its own work.
  bus.listen(collectionRecorded, wake, () => waiting.size > 0, "test");

  return async (intakeId, { withinMs, whenLate }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Recorded>();
    const waiters = waiting.get(intakeId) ?? new Set();
    waiting.set(intakeId, waiters.add(resolve));
    const poll = async () => {
      const recorded = await readRecorded(pool, intakeId).catch(() => undefined);
      if (recorded) resolve(recorded);
    };
    const polling = setInterval(poll, POLL_EVERY_MS);
    const timeout = setTimeout(() => reject(new Problem("service_unavailable", whenLate)), withinMs);
    try {
      return await promise;
    } finally {
      clearInterval(polling);
      clearTimeout(timeout);
      waiters.delete(resolve);
      if (waiters.size === 0) waiting.delete(intakeId);
    }
  };
}
