import { type Schedule, waitAfter } from "./schedule.ts";

/**
 * What happens to an endpoint that fails. Its deliveries are held: only the oldest is sent, on the schedule, as a probe. When the
 * endpoint acknowledges one, what was held goes out in the order of the sequence, in batches that double while all is
 * acknowledged; a batch begins when the one before has ended. An endpoint without a hold gets its events at once.
 */
export type Hold = {
  state: "held" | "releasing";
  /** Deliveries of the next batch. A probe is a batch of one. */
  batchSize: number;
  /** Probes that failed in a row. */
  probes: number;
  /** Acknowledged deliveries per second; null until it was measured. */
  rate: number | null;
  /** How much time the rate was measured over, of which the older part counts less. */
  rateOverMs: number;
};

/** So many attempts fail in a row before an endpoint is held: a server that restarts loses fewer. */
export const FAILURES_MAX = 10;
/** The largest batch. Its attempts share the endpoint's slots, of which there are fewer. */
export const BATCH_MAX = 256;
/** A batch in which nothing was attempted, because this process has no capacity or stops, is due again after this time. */
const UNATTEMPTED_WAIT_MS = 1_000;
/** A measurement counts for a third after this time: one slow batch changes an estimate little. */
const RATE_DECAY_MS = 30_000;

export type BatchResult = {
  acknowledged: number;
  failed: number;
  /** Of those that failed: the server answered, and refused the event. */
  refused: number;
  /** This process had no capacity, or the endpoint was so slow that the lease would have ended. */
  unattempted: number;
  /** Deliveries to an earlier URL, which were moved to the current one instead of being sent. */
  moved: number;
  /** Since the end of the previous batch. */
  elapsedMs: number;
  /** The longest that the receiver asked for. */
  retryAfterMs: number | undefined;
};

/** Too early, too slow and too many say that the server is not up; any other 4xx is about the event. */
const NOT_ABOUT_THE_EVENT = [408, 425, 429];
/** The server answers, and refuses this event: others are not held for it. */
export const isRefusal = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && !NOT_ABOUT_THE_EVENT.includes(status);

/** The hold after a batch, and the wait before the next one. `random` is in [0, 1). */
export function afterBatch(
  hold: Hold,
  result: BatchResult,
  schedule: Schedule,
  random: number,
): Hold & { waitMs: number } {
  const { acknowledged, failed, refused, unattempted, moved, retryAfterMs } = result;
  if (acknowledged + failed === 0) return { ...hold, waitMs: moved > 0 ? 0 : UNATTEMPTED_WAIT_MS };
  if (acknowledged + refused === 0) {
    const probes = hold.state === "held" ? hold.probes + 1 : 0;
    return {
      ...hold,
      state: "held",
      batchSize: 1,
      probes,
      waitMs: probeWait({ probes, retryAfterMs }, schedule, random),
    };
  }
  const batchSize = failed - refused + unattempted > 0 ? hold.batchSize >> 1 : hold.batchSize * 2;
  return {
    state: "releasing",
    batchSize: Math.min(Math.max(batchSize, 1), BATCH_MAX),
    probes: 0,
    ...rateAfter(hold, result),
    waitMs: 0,
  };
}

/** The wait before the next probe: that of a delivery after as many retries. At the end of the schedule they go on at its last wait. */
export function probeWait(
  { probes, retryAfterMs }: { probes: number; retryAfterMs: number | undefined },
  schedule: Schedule,
  random: number,
): number {
  const attempt = Math.min(probes + 1, schedule.delaysMs.length);
  return waitAfter(schedule, { attempt, retryAfterMs }, random) ?? 0;
}

/** While the batches grow, the last one says more than the mean. The time before a probe says nothing. */
function rateAfter(
  { state, batchSize, rate, rateOverMs }: Hold,
  { acknowledged, elapsedMs }: BatchResult,
): Pick<Hold, "rate" | "rateOverMs"> {
  if (state === "held" || elapsedMs <= 0) return { rate, rateOverMs };
  const isGrowing = rate === null || batchSize < BATCH_MAX;
  const earlierMs = isGrowing ? 0 : rateOverMs * Math.exp(-elapsedMs / RATE_DECAY_MS);
  const overMs = earlierMs + elapsedMs;
  return { rate: ((rate ?? 0) * earlierMs + acknowledged * 1_000) / overMs, rateOverMs: overMs };
}

/** How long what waits will take, in seconds; null while that is not known, or if more arrives than goes out. */
export function secondsLeft({
  waiting,
  rate,
  arrivals,
}: {
  waiting: number;
  rate: number | null;
  /** New events per second. */
  arrivals: number;
}): number | null {
  if (rate === null || rate <= arrivals) return null;
  return Math.ceil(waiting / (rate - arrivals));
}

/** A hold as stored, with what waits for it. */
export type StoredHold = {
  state: Hold["state"] | "paused";
  since: string;
  next_batch_at: string;
  rate: number | null;
  /** Of an endpoint that was paused after a restore. */
  lost_change_at: string | null;
  waiting: number;
  /** New events per second. */
  arrivals: number;
};

export function toHoldResponse(row: StoredHold | undefined) {
  if (!row) return null;
  const { state, since, waiting, next_batch_at, lost_change_at } = row;
  return {
    state,
    since,
    waiting,
    next_attempt_at: state === "held" ? next_batch_at : null,
    seconds_left: state === "releasing" ? secondsLeft(row) : null,
    lost_change_at: state === "paused" ? lost_change_at : null,
  };
}

type Listed = {
  url: string | null;
  last_at: string | null;
  last_status: number | null;
  last_error: string | null;
};
/** The host alone: the rest of a merchant's URL may be a secret of its own. */
export const toListedHold = <Row extends Listed>({ url, last_at, last_status, last_error, ...row }: Row) => ({
  ...row,
  host: url === null ? null : new URL(url).host,
  last_attempt: last_at === null ? null : { at: last_at, status: last_status, error: last_error },
});
