import { createHash } from "node:crypto";

/** When a delivery that was not acknowledged is retried. Times in milliseconds. */
export type Schedule = {
  /** The wait after the first failed attempt, after the second, and so on; after the last one the delivery is exhausted. */
  delaysMs: readonly number[];
  /** Each wait is longer or shorter by up to this share, so that deliveries that failed together are not retried together. */
  jitter: number;
  /** A `Retry-After` of the receiver may lengthen a wait up to this, and never shortens it. */
  retryAfterMaxMs: number;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Fifteen retries in about 72 hours. */
export const SCHEDULE: Schedule = {
  delaysMs: [
    5 * SECOND,
    30 * SECOND,
    2 * MINUTE,
    5 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    1 * HOUR,
    2 * HOUR,
    4 * HOUR,
    6 * HOUR,
    8 * HOUR,
    12 * HOUR,
    12 * HOUR,
    12 * HOUR,
    14 * HOUR,
  ],
  jitter: 0.2,
  retryAfterMaxMs: 24 * HOUR,
};

/** Retries of an event of this kind: somebody watches a test event, and the endpoint may be somebody else's. */
export function scheduleOf(schedule: Schedule, kind: string): Schedule {
  return kind === "webhook.test" ? { ...schedule, delaysMs: schedule.delaysMs.slice(0, 1) } : schedule;
}

/** The wait before the next attempt, or undefined when that was the last. `random` is in [0, 1). */
export function waitAfter(
  schedule: Schedule,
  failed: { attempt: number; retryAfterMs: number | undefined },
  random: number,
): number | undefined {
  const delayMs = schedule.delaysMs[failed.attempt - 1];
  if (delayMs === undefined) return undefined;
  const jittered = Math.round(delayMs * (1 + schedule.jitter * (2 * random - 1)));
  return Math.max(jittered, Math.min(failed.retryAfterMs ?? 0, schedule.retryAfterMaxMs));
}

/** In test mode, instead of a random number: a test that is repeated with a test clock has its retries at the same times. */
export function repeatable({ sequence, attempt }: { sequence: bigint; attempt: number }): number {
  return createHash("sha256").update(`${sequence}:${attempt}`).digest().readUInt32BE() / 2 ** 32;
}

/** `Retry-After` in seconds or as a date, in milliseconds from now. Undefined when it cannot be read. */
export function retryAfter(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  const date = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
