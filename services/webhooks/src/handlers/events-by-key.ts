import { answer, type Epochs, type Request } from "@collect/bus";
import {
  eventsOfCollections,
  findEvent,
  invalidFields,
  type LoggedEvent,
  listEvents,
  type MerchantScope,
  REPLAY_EVENTS_MAX,
  readLastSequences,
  resendEvent,
  resendEvents,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { eventId, sequenceOf } from "../domain/event-id.ts";
import { storable } from "../domain/page.ts";
import { noSuchEventId, noUrl, replayRunning } from "../domain/refusals.ts";
import {
  eventsFollowing,
  eventsOf,
  lastSequences,
  findEvent as readEvent,
  type StoredEvent,
} from "../store/event-log.ts";
import { replayOne } from "../store/replays.ts";
import { findEndpoint } from "../store/webhook-endpoints.ts";
import { startReplayOf } from "../use-cases/start-replay.ts";

type Deps = { pool: Pool; lists: Pool; epochs: Epochs };

/** The event log, as merchants' servers read it. */
export function eventsByKey(deps: Deps): Request[] {
  return [...reading(deps), ...resending(deps)];
}

function reading({ lists, epochs }: Deps): Request[] {
  return [
    answer(listEvents, async ({ merchant, after_sequence: after, limit, type: kind }) => {
      // A restored log lacks events for a while: a merchant that passed over them would never see them.
      epochs.assertCurrent();
      const { mode } = merchant;
      // Read before the page, so that the page contains every event of this kind up to there.
      const [newest] = kind === undefined ? [] : await lastSequences(lists, { mode, merchantIds: [merchant.id] });
      const head = Number(newest?.sequence ?? 0);
      const rows = await eventsFollowing(lists, merchant, { after, rows: limit + 1, kind });
      const data = rows.slice(0, limit).map((event) => toResponse(merchant, event));
      const last = data.at(-1)?.sequence ?? after;
      const has_more = rows.length > limit;
      return { data, limit, has_more, next: has_more ? last : Math.max(last, head), mode };
    }),

    answer(readLastSequences, async ({ mode, merchant_ids }) => {
      const last = await lastSequences(lists, { mode, merchantIds: merchant_ids.map(storable) });
      return { sequences: last.map(({ merchant_id, sequence }) => ({ merchant_id, sequence: Number(sequence) })) };
    }),

    answer(eventsOfCollections, async ({ merchant, references }) => {
      const events = await eventsOf(lists, merchant, {
        references: references.map(storable),
        kind: "collection.success",
      });
      return {
        events: events.map(({ reference, sequence }) => ({
          reference,
          id: eventId(merchant, sequence),
          sequence: Number(sequence),
        })),
      };
    }),

    answer(findEvent, async ({ merchant, id }) => toResponse(merchant, await eventOf(lists, merchant, id))),
  ];
}

function resending({ pool, lists, epochs }: Deps): Request[] {
  return [
    answer(resendEvent, async ({ merchant, id }) => {
      epochs.assertCurrent();
      const { sequence } = await eventOf(lists, merchant, id);
      const number = await replayOne(pool, merchant, Number(sequence));
      if (number === undefined) throw noUrl(await findEndpoint(pool, merchant));
      return toResponse(merchant, await eventOf(lists, merchant, id));
    }),

    answer(resendEvents, async ({ merchant, after_sequence, up_to_sequence }) => {
      epochs.assertCurrent();
      const { id, mode } = merchant;
      const [newest] = await lastSequences(lists, { mode, merchantIds: [id] });
      assertRange({ after: after_sequence, upTo: up_to_sequence, last: Number(newest?.sequence ?? 0) });
      const range = { from: after_sequence + 1, to: up_to_sequence, onlyUndelivered: false };
      // The events are there, so that a replay which was not started was refused for another one.
      if (!(await startReplayOf(pool, merchant, range))) throw replayRunning();
      return { after_sequence, up_to_sequence, events: up_to_sequence - after_sequence, mode };
    }),
  ];
}

/** An id of another merchant, of the other mode or made up is not found. */
async function eventOf(lists: Pool, merchant: MerchantScope, id: string): Promise<StoredEvent> {
  const sequence = sequenceOf(merchant, id);
  const event = sequence === undefined ? undefined : await readEvent(lists, merchant, sequence);
  if (!event) throw noSuchEventId();
  return event;
}

/** The log has no gaps, so every number of the range is an event. */
function assertRange({ after, upTo, last }: { after: number; upTo: number; last: number }): void {
  const refuse = (code: string, message: string) => invalidFields([{ param: "up_to_sequence", code, message }]);
  if (upTo <= after) throw refuse("too_small", "must be above after_sequence");
  if (upTo > last) throw refuse("too_big", `must be at most ${last}, the last number of the log`);
  if (upTo - after > REPLAY_EVENTS_MAX)
    throw refuse("too_big", `must be at most ${REPLAY_EVENTS_MAX.toLocaleString("en")} above after_sequence`);
}

function toResponse(merchant: MerchantScope, event: StoredEvent): LoggedEvent {
  const { sequence, kind, reference, created_at, body, number, status, attempts, last_status, next_attempt_at } = event;
  return {
    id: eventId(merchant, sequence),
    sequence: Number(sequence),
    event: kind,
    reference,
    created_at,
    body: body.toString(),
    delivery: number === null ? null : { status, attempts, last_status, next_attempt_at },
    mode: merchant.mode,
  };
}
