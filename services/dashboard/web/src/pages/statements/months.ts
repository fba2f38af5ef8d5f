import { lagosDay } from "../../components/lagos-time.ts";

const NAME = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", month: "long", year: "numeric" });

/** The months of Lagos up to the one of an instant, the newest first: `2026-11` and `November 2026`. */
export function monthsUntil(at: string | number, count = 24): { value: string; label: string }[] {
  const [year = 0, month = 0] = lagosDay(at).split("-").map(Number);
  return Array.from({ length: count }, (_, back) => {
    const first = new Date(Date.UTC(year, month - 1 - back, 1));
    return { value: first.toISOString().slice(0, 7), label: NAME.format(first) };
  });
}
