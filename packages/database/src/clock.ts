import type { Session } from "./pool.ts";
import { statement } from "./statement.ts";

const read = statement<{ now: string }>("select clock_timestamp()::timestamptz(3) as now");

/**
 * The database's time, to the millisecond. Decisions about money use it: all replicas of a service share this clock, while
 * that of a process may be a day off.
 */
export async function readClock(session: Session): Promise<Date> {
  const [row] = await read(session);
  if (!row) throw new Error("a clock without a row");
  return new Date(row.now);
}
