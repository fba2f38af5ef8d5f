/** [from, to). */
export type Window = { from: Date; to: Date };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** What was received so long ago has mostly arrived everywhere; what has not is looked at again. */
const LAG_MS = 2_000;
/** What came in a time when nothing was compared is not made up for here: its minutes are, once they are closed. */
const RECENT_MS = 3 * MINUTE_MS;

/** What came since the last comparison, up to two seconds ago; undefined when there is nothing in between. */
export function recentWindow(now: Date, recentTo: Date | undefined): Window | undefined {
  const to = new Date(now.getTime() - LAG_MS);
  const from = later(new Date(to.getTime() - RECENT_MS), recentTo);
  return from < to ? { from, to } : undefined;
}

/**
 * The last whole minute that is closed ends here: a minute after its end. No statement that takes money in lasts for so
 * long, so nothing joins it any more.
 */
export const closedTo = (now: Date): Date => startOf(now.getTime() - MINUTE_MS, MINUTE_MS);

/**
 * The next whole minutes to be compared, up to `end`: as many as hold about as many rows as one comparison should read,
 * which end at `full`, and one at least. Undefined when none is left.
 */
export function windowAfter(from: Date, { end, full }: { end: Date; full: Date | undefined }): Window | undefined {
  if (from >= end) return undefined;
  const reach = Math.min(end.getTime(), from.getTime() + DAY_MS);
  const cut = full ? Math.max(startOf(full.getTime(), MINUTE_MS).getTime(), from.getTime() + MINUTE_MS) : reach;
  return { from, to: new Date(Math.min(reach, cut)) };
}

/** The same backwards, down to the minute of `oldest`. */
export function windowBefore(to: Date, { oldest, full }: { oldest: Date; full: Date | undefined }): Window | undefined {
  const start = startOf(oldest.getTime(), MINUTE_MS);
  if (to <= start) return undefined;
  const reach = Math.max(start.getTime(), to.getTime() - DAY_MS);
  const cut = full ? Math.min(startOf(full.getTime(), MINUTE_MS).getTime(), to.getTime() - MINUTE_MS) : reach;
  return { from: new Date(Math.max(reach, cut)), to };
}

/** A minute as far as it is over, `to` being when it is not. */
export function minuteFrom(minute: Date, to: Date): Window {
  return {
    from: minute,
    to: new Date(Math.min(minute.getTime() + MINUTE_MS, Math.max(to.getTime(), minute.getTime()))),
  };
}

export const later = (one: Date, other: Date | undefined): Date => (other && other > one ? other : one);

const startOf = (time: number, unitMs: number) => new Date(time - (time % unitMs));
