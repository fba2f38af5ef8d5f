import { z } from "zod";
import { Mode } from "../fields.ts";
import { DELIVERY_STATUSES } from "../requests/deliveries.ts";
import { COLLECTED } from "./collection-events.ts";
import { HasMore, Limit, Timestamp, wholeNumber } from "./lists.ts";
import { COLLECTION, EVENT, PAID_AT } from "./story.ts";
import { WEBHOOK_KINDS } from "./webhook-events.ts";

/** Which events: those behind a sequence number, 20 by default and 100 at most, and how long to wait for the first one. */
export const ListEvents = z.object({
  after_sequence: wholeNumber(0).default(0).meta({
    description: "Returns the events that follow this sequence number. Begin with 0, and continue with `next`.",
  }),
  limit: wholeNumber(1)
    .default(20)
    .transform((limit) => Math.min(limit, 100)),
  wait: wholeNumber(0).pipe(z.int().max(50, "must be at most 50")).default(0).meta({
    description:
      "Seconds to wait if there are no such events yet, at most 50. The response comes with the next event of the log, or empty at the end.",
  }),
  type: z
    .enum(WEBHOOK_KINDS)
    .optional()
    .meta({ description: "Only events of this kind. `next` passes over the others." }),
});

/** An event of the numbered log, as it is sent to the merchant's server. */
export const LoggedEvent = z
  .object({
    id: z.string().meta({ description: "The `webhook-id` of every attempt to deliver it.", examples: [EVENT.id] }),
    sequence: z.int().meta({ description: "Its number in the log, the `X-Service-Sequence` of every attempt." }),
    event: z.enum(WEBHOOK_KINDS).meta({ description: "The kind of event, `X-Service-Event`." }),
    reference: z.string().meta({ description: "The `data.reference` of the body." }),
    created_at: Timestamp.meta({ description: "When it was recorded, the `created_at` of the body." }),
    body: z.string().meta({ description: "The JSON that is sent and signed, to the byte." }),
    delivery: z
      .object({
        status: z.enum(DELIVERY_STATUSES).meta({
          description:
            "`pending` until your server acknowledges it; `exhausted` once the retries have ended; `superseded` if the URL changed before.",
        }),
        attempts: z.int().meta({ description: "How many attempts were made so far." }),
        last_status: z
          .int()
          .nullable()
          .meta({ description: "The HTTP status of the last attempt; null without a response." }),
        next_attempt_at: Timestamp.nullable().meta({
          description:
            "When it is sent next; null if it is being sent, is not sent again, or waits for others because your server fails or is paused.",
        }),
      })
      .nullable()
      .meta({
        description: "Null if there was no webhook URL when it was recorded, and it has not been replayed since.",
      }),
    mode: Mode,
  })
  .meta({
    id: "Event",
    description: "An event of the log, as it is sent to your server.",
    examples: [exampleOfEvent()],
  });
export type LoggedEvent = z.output<typeof LoggedEvent>;

export const EventList = z
  .object({
    data: z.array(LoggedEvent).meta({ description: "In order, oldest first." }),
    limit: Limit,
    has_more: HasMore,
    next: z
      .int()
      .meta({ description: "The `after_sequence` of the next call, also when there are no more events for now." }),
    mode: Mode,
  })
  .meta({
    id: "EventList",
    description: "A page of the event log.",
    examples: [{ data: [exampleOfEvent()], limit: 20, has_more: false, next: EVENT.sequence, mode: "test" }],
  });

/** The most events of one replay. */
export const REPLAY_EVENTS_MAX = 10_000;

/** That of numbers in a query. */
const SEQUENCE_MAX = 999_999_999;

export const ReplayEvents = z
  .object({
    after_sequence: z
      .int()
      .min(0)
      .max(SEQUENCE_MAX)
      .meta({ description: "The events that follow this sequence number are sent." }),
    up_to_sequence: z
      .int()
      .min(1)
      .max(SEQUENCE_MAX)
      .meta({
        description: `The last of them, at most ${REPLAY_EVENTS_MAX.toLocaleString("en")} further. It must be in the log already.`,
      }),
  })
  .meta({
    description: "The events that you missed.",
    examples: [{ after_sequence: EVENT.sequence - 1, up_to_sequence: EVENT.sequence }],
  });

export const EventReplay = z
  .object({
    after_sequence: z.int().meta({ description: "As you sent it." }),
    up_to_sequence: z.int().meta({ description: "As you sent it." }),
    events: z.int().meta({ description: "How many events are sent." }),
    mode: Mode,
  })
  .meta({
    id: "EventReplay",
    description: "A part of the event log that is being sent again.",
    examples: [{ after_sequence: EVENT.sequence - 1, up_to_sequence: EVENT.sequence, events: 1, mode: "test" }],
  });

function exampleOfEvent() {
  return {
    ...EVENT,
    event: "collection.success",
    reference: COLLECTION.reference,
    created_at: PAID_AT,
    body: JSON.stringify(COLLECTED),
    delivery: { status: "delivered", attempts: 1, last_status: 200, next_attempt_at: null },
    mode: "test",
  };
}
