import { randomUUID } from "node:crypto";

import { answer, type Bus, type Request, type Standings } from "@collect/bus";
import { browseEvents, findEvents, getEvent, Problem, sendTestEvent, storeTestEvent, toPage } from "@collect/contracts";
import { type Pool, readClock, transaction } from "@collect/database";

import { toDeliveryResponse } from "../domain/delivery.ts";
import { testEvent } from "../domain/event.ts";
import { numbersAmong, placeIn, requestedPage, searchedNumber, storable } from "../domain/page.ts";
import { noSuchEvent, noUrl } from "../domain/refusals.ts";
import { attemptsOfEvents } from "../store/attempt-log.ts";
import { deliveriesOfEvent } from "../store/delivery-log.ts";
import { type EventRow, eventsAbout, findEvent, pageOfEvents } from "../store/event-log.ts";
import type { RecordedEvent } from "../store/events.ts";
import { secondsUntilTestEvent } from "../store/test-events.ts";
import { findEndpoint } from "../store/webhook-endpoints.ts";
import { type Recording, record } from "../use-cases/record-events.ts";

type Deps = { pool: Pool; lists: Pool; bus: Bus; standings: Pick<Standings, "read">; recording: Recording };

/** The numbered event log of a merchant, and test events. */
export function eventRequests({ pool, lists, bus, standings, recording }: Deps): Request[] {
  return [
    answer(browseEvents, async ({ merchant, limit, event, search, references, ...requested }) => {
      const page = requestedPage(requested);
      const filter = {
        page,
        rows: limit + 1,
        event: storable(event),
        search,
        number: searchedNumber(search),
        selected: references && numbersAmong(references),
      };
      const rows = await pageOfEvents(lists, merchant, filter);
      const cursor = ({ sequence, created_at }: EventRow) => placeIn(page, sequence, created_at);
      return toPage(rows, { limit, cursor, toResponse: toEventResponse });
    }),
    answer(getEvent, async ({ merchant, sequence }) => {
      const event = await findEvent(lists, merchant, sequence);
      if (!event) throw noSuchEvent();
      const deliveries = await deliveriesOfEvent(lists, merchant, sequence);
      return {
        event: toEventResponse(event),
        body: event.body.toString(),
        deliveries: deliveries.map(toDeliveryResponse),
      };
    }),
    answer(findEvents, async ({ merchant, reference }) => {
      const events = await eventsAbout(lists, merchant, storable(reference));
      const sequences = events.map(({ sequence }) => sequence);
      const attempts = Map.groupBy(await attemptsOfEvents(lists, merchant, sequences), ({ sequence }) => sequence);
      return {
        events: events.map((event) => ({
          ...toEventResponse(event),
          tried: (attempts.get(event.sequence) ?? []).map(toAttemptResponse),
        })),
      };
    }),
    answer(sendTestEvent, async ({ merchant }, context) => {
      recording.epochs.assertCurrent();
      const endpoint = await findEndpoint(pool, merchant);
      if (!endpoint?.url) throw noUrl(endpoint);
      if (merchant.mode === "live") await assertVerified(standings, merchant.id);
      const draft = testEvent(merchant, context.requestId || randomUUID(), await readClock(pool));
      const afterwards: (() => void)[] = [];
      const byKey = await transaction(pool, async (tx) => {
        const retryAfterS = await secondsUntilTestEvent(tx, draft, TEST_EVENTS_PER_HOUR);
        if (retryAfterS !== undefined) throw tooManyTestEvents(retryAfterS);
        return record(recording, { tx, afterwards: (work) => void afterwards.push(work) }, [draft]);
      });
      const event = byKey.get(draft.key);
      // No other service is notified of a test event: without this a restored database would assign its number to another event.
      if (event) await bus.request(storeTestEvent, { key: draft.key, merchant, ...numbersOf(event) }, context);
      for (const work of afterwards) work();
      // The URL was removed in between: the event is in the log and is not sent.
      if (!event || event.delivery_number === null) throw noUrl();
      return { sequence: Number(event.sequence), delivery_number: Number(event.delivery_number) };
    }),
  ];
}

/** For each merchant and mode. A test event costs the receiver at most two requests, see domain/schedule.ts. */
const TEST_EVENTS_PER_HOUR = 60;

const tooManyTestEvents = (retryAfterS: number) =>
  new Problem(
    "rate_limited",
    `At most ${TEST_EVENTS_PER_HOUR} test events can be sent in any 60 minutes. Send an earlier one again from the event log, or wait.`,
    { retryAfterS },
  );

/**
 * A URL can be set before the verification, but we send nothing to it in the merchant's name. A suspended merchant goes on
 * receiving the events of its money, and may test its receiver.
 */
async function assertVerified(standings: Pick<Standings, "read">, merchantId: string): Promise<void> {
  if ((await standings.read(merchantId)).verified) return;
  throw new Problem(
    "verification_required",
    "Live events are sent once the business is verified. Send a test event in test mode meanwhile.",
  );
}

function toEventResponse(row: EventRow) {
  const { sequence, kind, reference, amount_kobo, created_at, number, status, attempts, last_status, next_attempt_at } =
    row;
  const delivery = number === null ? null : { number: Number(number), status, attempts, last_status, next_attempt_at };
  return { sequence: Number(sequence), event: kind, reference, amount: amount_kobo, created_at, delivery };
}

const numbersOf = ({ sequence, delivery_number, created_at }: RecordedEvent) => ({
  sequence: Number(sequence),
  delivery_number: delivery_number === null ? null : Number(delivery_number),
  recorded_at: created_at,
});

function toAttemptResponse<Row extends { number: bigint }>(row: Row) {
  return { ...row, number: Number(row.number) };
}
