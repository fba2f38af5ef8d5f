import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits for a condition, never for a time: polls until the result is not undefined, null or false. The timeout only
 * keeps a failing test from hanging; a slow machine stays far below it.
 */
export async function until<Value>(
  what: string,
  check: () => Value | Promise<Value>,
  timeoutMs = 30_000,
): Promise<Exclude<Value, undefined | null | false>> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== null && value !== false)
      return value as Exclude<Value, undefined | null | false>;
    if (performance.now() > end) throw new Error(`timed out waiting for: ${what}`);
    await sleep(20);
  }
}
