import type { Session } from "./pool.ts";
import { statement } from "./statement.ts";

const readTime = statement<{ now: string }>("select clock_timestamp()::timestamptz(3) as now");

/** How long the difference between the database's clock and this process's monotonic one is used. */
const REFRESH_MS = 60_000;

/**
 * The database's time without asking it for each reading: asked once, then again in the background. For what tolerates a second,
 * such as the time in a signature, and must not wait for a connection.
 */
export function createClock(session: Session): () => Promise<Date> {
  const { read, refresh } = followClock(session);
  return async () => {
    if (read() === undefined) await refresh();
    const now = read();
    if (now === undefined) throw new Error("the database's time is not known");
    return new Date(now);
  };
}

/** The same for what cannot wait at all, in milliseconds: while the database's time is not known, this process's own. */
export function createNow(session: Session): () => number {
  const { read, refresh } = followClock(session);
  refresh().catch(() => {});
  return () => read() ?? Date.now();
}

function followClock(session: Session) {
  let known: { at: number; since: number } | undefined;
  let refreshing: Promise<void> | undefined;
  const refresh = () => {
    refreshing ??= readClock(session)
      .then((now) => {
        known = { at: now.getTime(), since: performance.now() };
      })
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  };
  const read = () => {
    if (!known || performance.now() - known.since > REFRESH_MS) refresh().catch(() => {});
    return known && known.at + performance.now() - known.since;
  };
  return { read, refresh };
}

/**
 * The database's time, to the millisecond. Decisions about money use it: all replicas of a service share this clock, while
 * that of a process may be a day off.
 */
export async function readClock(session: Session): Promise<Date> {
  const [row] = await readTime(session);
  if (!row) throw new Error("a clock without a row");
  return new Date(row.now);
}
