import type { ReadResponse } from "../api/calls.ts";
import type { TimelineStep } from "./timeline.tsx";

export type Events = NonNullable<ReadResponse<"transfers/:reference/timeline">["events"]>;
type RecordedEvent = Events[number];
type Attempt = RecordedEvent["tried"][number];
export type Hold = ReadResponse<"webhook/health">["hold"];

/** A pending delivery without a time is under way, or held with all others: then this says why. */
export const mayBeHeld = ({ delivery }: RecordedEvent) =>
  delivery?.status === "pending" && delivery.next_attempt_at === null;

/** How the merchant's server was notified: each event with its number, and each delivery attempt. */
export function webhookSteps(events: Events | null, hold: Hold): TimelineStep[] {
  if (!events) return [{ what: "Webhook", at: null, detail: "Temporarily unavailable. No events are lost." }];
  if (events.length === 0)
    return [{ what: "Event", at: null, detail: "Not recorded yet. It will appear here automatically." }];
  return events.flatMap((event) => [
    {
      what: `Event ${event.sequence} recorded`,
      at: event.created_at,
      detail: event.event,
      to: ["developers", "events", String(event.sequence)],
    },
    ...event.tried.map(attemptStep),
    ...outstandingStep(event, hold),
  ]);
}

function attemptStep({ number, attempt, started_at, duration_ms, status, error }: Attempt): TimelineStep {
  const answer = status ? `${status} after ${duration_ms} ms` : (error ?? `No response after ${duration_ms} ms`);
  const to = ["developers", "deliveries", String(number)];
  if (status && status >= 200 && status < 300)
    return { what: `Delivered on attempt ${attempt}`, at: started_at, detail: answer, to };
  return { what: `Attempt ${attempt} failed`, at: started_at, detail: answer, isBad: true, to };
}

/** The outstanding last step, if there is one. */
function outstandingStep(event: RecordedEvent, hold: Hold): TimelineStep[] {
  const { delivery, tried } = event;
  if (!delivery)
    return [{ what: "Not sent", at: null, detail: "No webhook URL was set. You can send it from Events." }];
  if (hold && hold.state !== "releasing" && mayBeHeld(event))
    return [{ what: "Held", at: null, detail: HELD[hold.state] }];
  if (delivery.status === "pending")
    return [{ what: tried.length === 0 ? "Sending to your server" : "Next attempt scheduled", at: null }];
  if (delivery.status === "exhausted")
    return [{ what: "Failed", at: null, detail: "You can resend it from Events.", isBad: true }];
  return [];
}

const HELD = {
  paused: "The webhook is paused. It is sent in order once deliveries resume.",
  held: "Your server is failing. It is sent in order once your server accepts an event.",
};
