import type { CollectError } from "./errors.ts";

/** The back-off: the wait doubles from the first to the longest; a longer `Retry-After` is thrown to the caller. */
const WAITS = { firstMs: 250, longestMs: 8_000, retryAfterMaxMs: 30_000 };

const PASSING_STATUSES = [429, 502, 503, 504];
const PASSING_CODES = ["network_error", "timeout"];
/** Temporary too, and not for seconds: one wants a proof of work, the other a payer who pays or gives up. */
const LASTING_CODES = ["proof_required", "amount_slots_exhausted"];

/**
 * The wait before the next attempt, in milliseconds; undefined if there should be none. `tries` is the number of attempts so
 * far; `random` is in [0, 1). With jitter, a wait is between half and all of the doubled value, and never less than
 * `Retry-After`.
 */
export function waitBeforeNext(
  error: CollectError,
  { tries, retries }: { tries: number; retries: number },
  random: number,
): number | undefined {
  const askedMs = (error.retryAfter ?? 0) * 1_000;
  if (!isTemporary(error) || tries > retries || askedMs > WAITS.retryAfterMaxMs) return undefined;
  const wholeMs = Math.min(WAITS.firstMs * 2 ** (tries - 1), WAITS.longestMs);
  return askedMs + wholeMs * (0.5 + random / 2);
}

/** Whether the same call may succeed in a moment. */
export function isTemporary({ status, code }: CollectError): boolean {
  if (status === null) return PASSING_CODES.includes(code);
  return PASSING_STATUSES.includes(status) && !LASTING_CODES.includes(code);
}
