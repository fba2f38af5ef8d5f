import { timingSafeEqual } from "node:crypto";

/** Whether a header from node:http is the expected text. Compares in constant time, never throws. */
export function isSame(header: string | string[] | undefined, expected: string): boolean {
  if (typeof header !== "string") return false;
  const [ours, given] = [Buffer.from(expected), Buffer.from(header)];
  return given.length === ours.length && timingSafeEqual(given, ours);
}
