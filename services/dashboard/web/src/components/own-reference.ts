import { lagosDay } from "./lagos-time.ts";

/** A suggested merchant reference: unique and readable. Each reference creates one object only. */
export function newReference(noun: "transfer" | "session", now = Date.now()): string {
  const day = lagosDay(now).replaceAll("-", "");
  return `${noun}-${day}-${crypto.randomUUID().slice(0, 8)}`;
}
