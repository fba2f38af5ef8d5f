import { setTimeout as sleep } from "node:timers/promises";

/**
 * Retries the work until it succeeds or is aborted, waiting 100 ms and then twice as long each time up to `longestMs`. For
 * work that must eventually succeed (a connection, a stream); never on behalf of a waiting caller.
 */
export async function withBackOff<Result>(
  work: () => Promise<Result>,
  options: { signal: AbortSignal; onFailure: (error: unknown, waitMs: number) => void; longestMs?: number },
): Promise<Result | undefined> {
  const { longestMs = 5_000 } = options;
  for (let waitMs = 100; !options.signal.aborted; waitMs = Math.min(waitMs * 2, longestMs)) {
    try {
      return await work();
    } catch (error) {
      options.onFailure(error, waitMs);
      await sleep(waitMs, undefined, { signal: options.signal }).catch(() => {});
    }
  }
  return undefined;
}
