/** The kinds of records that a page may have to read again. */
export const KINDS = ["collections", "sessions", "transfers", "deliveries", "events"] as const;
export type Kind = (typeof KINDS)[number];

/** The kinds to notify once more afterwards: an event is recorded first, and its delivery attempted a moment later. */
export function repeatedFor(notified: ReadonlySet<Kind>): Kind[] {
  return notified.has("events") ? ["deliveries"] : [];
}
