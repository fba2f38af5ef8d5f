import type { MerchantScope } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { DUE } from "./delivery-log.ts";
import { deliveriesAt, eventAt, eventsOfReference, placeOf } from "./look-ups.ts";

/** A line of the event log with the delivery that tells how the event does. */
export type EventRow = {
  sequence: bigint;
  kind: string;
  reference: string;
  amount_kobo: bigint;
  created_at: string;
  /** Null, as everything after it, while it has not been enqueued to any URL. */
  number: bigint | null;
  status: "pending" | "delivered" | "exhausted" | "superseded";
  attempts: number;
  last_status: number | null;
  next_attempt_at: string | null;
};

const LINE = `e.sequence, e.kind, e.reference, e.amount_kobo, e.created_at,
  d.number, d.status, d.attempts, d.last_status, d.next_attempt_at`;

/** Of the deliveries of an event the one to the newest URL that still counts. */
const WITH_DELIVERY = `left join lateral (
    select d.number, d.status, d.attempts, d.last_status, ${DUE} as next_attempt_at
    from ${deliveriesAt(placeOf("e"))} d
    order by d.status = 'superseded', d.number desc limit 1) d on true`;

/** A page is a range of one index, and the statement is another where it must be another index: plans are made without values. */
const page = (condition: string, order = "sequence desc") =>
  statement<EventRow>(`
  select ${LINE}
  from (select merchant_id, mode, sequence, kind, reference, amount_kobo, created_at from events
    where merchant_id = $1 and mode = $2 and sequence < $3 and ${condition}
    order by ${order} limit $4) e ${WITH_DELIVERY}
  order by e.sequence desc`);

const all = page("true");
/**
 * Written as a range of places, because only the index that begins with the kind has that order: with a plain equality the
 * primary key may be walked, past all events of the other kinds (540 ms for none of 1,000,000, and so under 1 ms).
 */
const ofKind = page("kind >= $5 and (kind, sequence) < ($5, $3)", "kind desc, sequence desc");

/** Few rows: those of one reference, and the one with that number. */
const sought = statement<EventRow>(`
  select ${LINE}
  from (select sequence from ${eventsOfReference("$6")} union select $7::bigint) found (sequence),
    lateral ${eventAt(["$1", "$2", "found.sequence"])} e ${WITH_DELIVERY}
  where e.sequence < $3 and ($5::text is null or e.kind = $5)
  order by e.sequence desc limit $4`);

export type EventsAsked = {
  before: string;
  rows: number;
  event: string | undefined;
  search: string | undefined;
  /** What is sought, where it is a number. */
  number: string | undefined;
};

/** So many lines before a number of the log, newest first. */
export function pageOfEvents(pool: Pool, { id, mode }: MerchantScope, asked: EventsAsked): Promise<EventRow[]> {
  const { before, rows, event, search, number } = asked;
  if (search !== undefined) return sought(pool, [id, mode, before, rows, event, search, number]);
  return event === undefined ? all(pool, [id, mode, before, rows]) : ofKind(pool, [id, mode, before, rows, event]);
}

const bySequence = statement<EventRow & { body: Buffer }>(`
  select ${LINE}, e.body from ${eventAt(["$1", "$2", "$3"])} e ${WITH_DELIVERY}`);

export async function findEvent(pool: Pool, { id, mode }: MerchantScope, sequence: number) {
  const [event] = await bySequence(pool, [id, mode, sequence]);
  return event;
}

/** One reference has a few events at most: a transfer that succeeds and is reversed has two. */
const EVENTS_MAX = 20;

const byReference = statement<EventRow>(`
  select ${LINE} from ${eventsOfReference("$3")} e ${WITH_DELIVERY}
  order by e.sequence limit ${EVENTS_MAX}`);

/** Oldest first. */
export function eventsAbout(pool: Pool, { id, mode }: MerchantScope, reference: string): Promise<EventRow[]> {
  return byReference(pool, [id, mode, reference]);
}

const named = statement<{ sequence: bigint; body: Buffer }>(`
  select e.sequence, e.body from ${eventsOfReference("$3")} e where e.kind = $4
  order by e.sequence desc limit 1`);

/** The event that a body says it is. */
export async function findNamedEvent(
  pool: Pool,
  { id, mode }: MerchantScope,
  { kind, reference }: { kind: string; reference: string },
) {
  const [event] = await named(pool, [id, mode, reference, kind]);
  return event;
}
