import { addDays } from "./calendar.ts";
import type { Day } from "./statement.ts";

/** Sender, receiver, and the time in Lagos. */
const NIP = /^\d{12}(?<year>\d\d)(?<month>\d\d)(?<day>\d\d)(?<hours>\d\d)(?<minutes>\d\d)(?<seconds>\d\d)\d{6}$/;

/**
 * When a transfer was sent, as its session id says; null if that is no time, or none near the day on which the bank booked it: some
 * banks fill these digits with something else.
 */
export function sentAt(sessionId: string | null, bookedOn: Day): string | null {
  const { year, month, day, hours, minutes, seconds } = NIP.exec(sessionId ?? "")?.groups ?? {};
  const time = Date.parse(`20${year}-${month}-${day}T${hours}:${minutes}:${seconds}+01:00`);
  if (Number.isNaN(time)) return null;
  const instant = new Date(time).toISOString();
  const isNear = instant.slice(0, 10) >= addDays(bookedOn, -3) && instant.slice(0, 10) <= bookedOn;
  return isNear ? instant.replace("Z", "+00:00") : null;
}
