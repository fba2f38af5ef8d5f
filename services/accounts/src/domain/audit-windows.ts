/** [from, to). */
export type Window = { from: Date; to: Date };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/**
 * No statement that accepts transfers takes this long, so the set of transfers received before is final, and most of them have
 * arrived everywhere. Transfers that the ledger posts later are requested from it.
 */
const SETTLED_MS = 6_000;

/** Transfers received before this instant can be compared. */
export const settledBefore = (now: Date): Date => new Date(now.getTime() - SETTLED_MS);

/**
 * The next window to compare, up to `end`, but no more than one comparison should read, which ends at `full`. Undefined when
 * there is none.
 */
export function windowAfter(from: Date, { end, full }: { end: Date; full: Date | undefined }): Window | undefined {
  if (from >= end) return undefined;
  const reach = Math.min(end.getTime(), from.getTime() + DAY_MS);
  const cut = full ? Math.max(full.getTime(), from.getTime() + 1) : reach;
  return { from, to: new Date(Math.min(reach, cut)) };
}

/** The same backwards, in whole minutes but for the first, down to the minute of `oldest`. */
export function windowBefore(to: Date, { oldest, full }: { oldest: Date; full: Date | undefined }): Window | undefined {
  const start = startOf(oldest.getTime(), MINUTE_MS);
  if (to <= start) return undefined;
  const reach = Math.max(start.getTime(), to.getTime() - DAY_MS);
  const cut = full ? Math.min(startOf(full.getTime(), MINUTE_MS).getTime(), to.getTime() - MINUTE_MS) : reach;
  return { from: new Date(Math.max(reach, cut)), to };
}

/** The elapsed part of a minute, which ends at `to` if the minute is not over. */
export function minuteFrom(minute: Date, to: Date): Window {
  return {
    from: minute,
    to: new Date(Math.min(minute.getTime() + MINUTE_MS, Math.max(to.getTime(), minute.getTime()))),
  };
}

const WALK_REST = { durations: 19, rounds: 24 };

/**
 * How long the walk through the history pauses: many times as long as the last round took, so that a long history costs no more and
 * load delays it, but at most some rounds, or a busy machine would let what the walk has proven become too old.
 */
export const walkRestMs = (round: { tookMs: number; everyMs: number }): number =>
  Math.min(WALK_REST.durations * round.tookMs, WALK_REST.rounds * round.everyMs);

export const later = (one: Date, other: Date | undefined): Date => (other && other > one ? other : one);

const startOf = (time: number, unitMs: number) => new Date(time - (time % unitMs));
