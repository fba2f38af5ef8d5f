import type { CollectError } from "./errors.ts";

/** Times of repeating: the wait doubles from the first to the longest; a longer `Retry-After` is left to the caller. */
const WAITS = { firstMs: 250, longestMs: 8_000, retryAfterMaxMs: 30_000 };

const PASSING_STATUSES = [429, 502, 503, 504];
const PASSING_CODES = ["network_error", "timeout"];

/**
 * How long to wait before the next try, in milliseconds; undefined when there should be none. `tries` were made so far;
 * `random` is in [0, 1). Waits are between half of what the doubling gives and the whole of it, and never less than
 * `Retry-After` says.
 */
export function waitBeforeNext(
  error: CollectError,
  { tries, retries }: { tries: number; retries: number },
  random: number,
): number | undefined {
  const passing = error.status === null ? PASSING_CODES.includes(error.code) : PASSING_STATUSES.includes(error.status);
  const askedMs = (error.retryAfter ?? 0) * 1_000;
  if (!passing || tries > retries || askedMs > WAITS.retryAfterMaxMs) return undefined;
  const wholeMs = Math.min(WAITS.firstMs * 2 ** (tries - 1), WAITS.longestMs);
  return askedMs + wholeMs * (0.5 + random / 2);
}
