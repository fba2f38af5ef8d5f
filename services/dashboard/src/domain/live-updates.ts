/** The kinds of records that a page may have to refetch. */
export const KINDS = ["collections", "sessions", "transfers", "deliveries", "events"] as const;
export type Kind = (typeof KINDS)[number];

/** The kinds to notify once more afterwards: an event's delivery is attempted a moment after the event is recorded. */
export function repeatedFor(notified: ReadonlySet<Kind>): Kind[] {
  return notified.has("events") ? ["deliveries"] : [];
}
