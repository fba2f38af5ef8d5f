/** What kinds of things a page may have to read again. */
export const KINDS = ["collections", "sessions", "transfers", "deliveries", "events"] as const;
export type Kind = (typeof KINDS)[number];

/** What is told after this was told: an event is recorded first and its delivery attempted a moment later. */
export function toldAgain(told: ReadonlySet<Kind>): Kind[] {
  return told.has("events") ? ["deliveries"] : [];
}
