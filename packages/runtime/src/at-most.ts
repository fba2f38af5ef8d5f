import { setTimeout as sleep } from "node:timers/promises";

/** Waits for the end of the work, successful or not, but no longer than this; the work itself continues. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const waited = new AbortController();
  await Promise.race([work.catch(() => {}), sleep(ms, undefined, { signal: waited.signal }).catch(() => {})]);
  waited.abort();
}
