import { z } from "zod";
import { Id, Mode } from "../fields.ts";
import { EventList, EventReplay, ListEvents, LoggedEvent, ReplayEvents } from "../merchant-api/events.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/** The event log, as merchants read it with a key. */

export const readLastSequences = request({
  subject: "webhooks.sequence.read_last",
  callers: ["gateway"],
  meaning: "The last number in the event log of each of these merchants; those without events are omitted.",
  input: z.object({ mode: Mode, merchant_ids: z.array(Id).max(500) }),
  output: z.object({ sequences: z.array(z.object({ merchant_id: Id, sequence: z.int() })) }),
});

export const eventsOfCollections = request({
  subject: "webhooks.event.of_collections",
  callers: ["payments", "dashboard"],
  meaning: "The events of a merchant's collections; those that are not recorded yet are omitted.",
  input: byScope.extend({ references: z.array(Id).max(100) }),
  output: z.object({ events: z.array(z.object({ reference: Id, id: Id, sequence: z.int() })) }),
});

export const listEvents = request({
  subject: "webhooks.event.list",
  callers: ["gateway"],
  meaning:
    "The events of one merchant and mode behind a sequence number, oldest first, with the bytes that are sent. The gateway has waited.",
  input: byScope.extend(ListEvents.shape),
  output: EventList,
});

/** The `webhook-id`. Anything else is looked up like an id, and is not found. */
const EventId = z.string().max(100);

export const findEvent = request({
  subject: "webhooks.event.read",
  callers: ["gateway"],
  meaning: "One event of a merchant and mode by its id.",
  input: byScope.extend({ id: EventId }),
  output: LoggedEvent,
});

export const resendEvent = request({
  subject: "webhooks.event.resend",
  callers: ["gateway"],
  meaning: "Send one event to the current URL again, delivered or not, with the same bytes and numbers.",
  input: byScope.extend({ id: EventId }),
  output: LoggedEvent,
});

export const resendEvents = request({
  subject: "webhooks.event.resend_range",
  callers: ["gateway"],
  meaning:
    "Send a range of the log to the current URL again, in the background, as webhooks.replay.start does. A repeat while it runs is the same replay.",
  input: byScope.extend(ReplayEvents.shape),
  output: EventReplay,
});
