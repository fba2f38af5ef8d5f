import { useEffect, useState } from "react";

const MINUTE = 60_000;
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", MINUTE],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** A relative time, with the exact one on hover. After a week it is a date. */
export function When({ at }: { at: string | null | undefined }) {
  const now = useNow();
  if (!at) return <span>–</span>;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at, now)}
    </time>
  );
}

/** To the second. */
export function exactTime(at: string): string {
  return exact.format(new Date(at));
}

export function relativeTime(at: string, now: number): string {
  const ms = Date.parse(at) - now;
  if (Math.abs(ms) < MINUTE) return ms > 0 ? "in a moment" : "just now";
  if (Math.abs(ms) > 7 * 86_400_000) return date.format(new Date(at));
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
