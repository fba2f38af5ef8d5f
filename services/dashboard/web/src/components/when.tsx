import { useEffect, useState } from "react";
import { bothTimes, dateOf, exactTime } from "./lagos-time.ts";

const MINUTE = 60_000;
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", MINUTE],
];
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

export function relativeTime(at: string, now: number): string {
  const ms = Date.parse(at) - now;
  if (Math.abs(ms) < MINUTE) return ms > 0 ? "in a moment" : "just now";
  if (Math.abs(ms) > 7 * 86_400_000) return dateOf(at);
  const [unit, size] = STEPS.find(([, size]) => Math.abs(ms) >= size) ?? ["minute", MINUTE];
  return relative.format(Math.trunc(ms / size), unit);
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
