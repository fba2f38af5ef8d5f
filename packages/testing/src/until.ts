import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits for a condition, never for a time: asks again until the answer is not undefined, null or false.
 * The bound only keeps a broken test from hanging; a slow machine stays far below it.
 */
export async function until<Value>(
  what: string,
  ask: () => Value | Promise<Value>,
  boundMs = 30_000,
): Promise<Exclude<Value, undefined | null | false>> {
  const end = performance.now() + boundMs;
  for (;;) {
    const value = await ask();
    if (value !== undefined && value !== null && value !== false)
      return value as Exclude<Value, undefined | null | false>;
    if (performance.now() > end) throw new Error(`never came true: ${what}`);
    await sleep(20);
  }
}
