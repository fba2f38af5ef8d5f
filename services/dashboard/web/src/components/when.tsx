import { useEffect, useState } from "react";
import { bothTimes, dateOf, exactTime, lagosDay } from "./lagos-time.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/**
 * Every time of the dashboard: relative, and a date after a week; or `exact`, in Lagos time. On hover the exact Lagos time, and
 * the browser's own where it differs.
 */
export function When({ at, exact = false }: { at: string | null | undefined; exact?: boolean }) {
  const now = useNow();
  if (!at) return <span>–</span>;
  return (
    <time dateTime={at} title={bothTimes(at)}>
      {exact ? exactTime(at) : relativeTime(at, now)}
    </time>
  );
}

/** A day or more is counted in days of Lagos: what happened on Monday is not "yesterday" on Wednesday. */
export function relativeTime(at: string, now: number): string {
  const ms = Date.parse(at) - now;
  const size = Math.abs(ms);
  if (size < MINUTE) return ms > 0 ? "in a moment" : "just now";
  if (size < HOUR) return relative.format(Math.trunc(ms / MINUTE), "minute");
  if (size < DAY) return relative.format(Math.trunc(ms / HOUR), "hour");
  if (size > 7 * DAY) return dateOf(at);
  return relative.format(Math.round((Date.parse(lagosDay(at)) - Date.parse(lagosDay(now))) / DAY), "day");
}

/** The current time, updated every half minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(ticking);
  }, []);
  return now;
}

export { exactTime } from "./lagos-time.ts";
