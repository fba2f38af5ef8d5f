import { RecordLink } from "./record-link.tsx";
import type { Events } from "./webhook-steps.ts";

/** The events' numbers, each with a link to the event. */
export function EventLinks({ events }: { events: Events | null }) {
  if (!events) return "Temporarily unavailable";
  if (events.length === 0) return "Not recorded yet";
  return events.map(({ sequence, event }) => (
    <div key={sequence}>
      <RecordLink to={["developers", "events", String(sequence)]}>{sequence}</RecordLink> {event}
    </div>
  ));
}
