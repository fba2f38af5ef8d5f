import { RecordLink, Reference } from "./record-link.tsx";
import type { Events } from "./webhook-steps.ts";

/** What an event is about, with a link to its record; a test event is about none. */
export function EventObject({ event: { event, reference } }: { event: { event: string; reference: string } }) {
  const [kind] = event.split(".");
  if (kind !== "collection" && kind !== "transfer") return <Reference>{reference}</Reference>;
  return (
    <RecordLink to={[`${kind}s`, reference]}>
      <Reference>{reference}</Reference>
    </RecordLink>
  );
}

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
