/** [from, to), on whole minutes. */
export type Window = { from: Date; to: Date };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Every round compares so much of what was received last: most of what can differ is there. */
const RECENT_MS = 65 * MINUTE_MS;

/**
 * The last minutes that are closed, from when auditing began at the earliest. No statement that takes money in lasts for a
 * minute, so nothing joins them any more.
 */
export function recentWindow(now: Date, began?: Date): Window {
  const to = startOf(now.getTime() - MINUTE_MS, MINUTE_MS);
  const from = later(new Date(to.getTime() - RECENT_MS), began);
  return { from: new Date(Math.min(from.getTime(), to.getTime())), to };
}

export const later = (one: Date, other: Date | undefined): Date => (other && other > one ? other : one);

export const minutesOf = ({ from, to }: Window): number => (to.getTime() - from.getTime()) / MINUTE_MS;

/** A window in pieces of an hour at most, for nobody to be asked for more at once. */
export function hoursOf({ from, to }: Window): Window[] {
  const pieces = Math.ceil((to.getTime() - from.getTime()) / HOUR_MS);
  return Array.from({ length: pieces }, (_, piece) => {
    const start = from.getTime() + piece * HOUR_MS;
    return { from: new Date(start), to: new Date(Math.min(start + HOUR_MS, to.getTime())) };
  });
}

/** The hour of a minute that differed, as far as it is not among the recent ones. */
export function hourAround(minute: Date, recent: Window): Window {
  const from = startOf(minute.getTime(), HOUR_MS);
  return { from, to: new Date(Math.min(from.getTime() + HOUR_MS, recent.from.getTime())) };
}

/**
 * The next hour of the walk backwards through the whole history, which begins anew once it has passed the oldest money.
 * Undefined while all there is is recent.
 */
export function walkWindow(given: { walkedTo: Date | undefined; oldest: Date; recent: Window }): Window | undefined {
  const { walkedTo, oldest, recent } = given;
  if (oldest >= recent.from) return undefined;
  const to = walkedTo && walkedTo > oldest && walkedTo < recent.from ? walkedTo : recent.from;
  return { from: later(new Date(to.getTime() - HOUR_MS), startOf(oldest.getTime(), MINUTE_MS)), to };
}

const startOf = (time: number, unitMs: number) => new Date(time - (time % unitMs));
