import type { MerchantScope } from "@collect/contracts";
import { type Pool, query } from "@collect/database";
import { DUE } from "./delivery-log.ts";

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

/** Events, each with the one of its deliveries to the newest URL that still counts. */
const LOG = `events e left join lateral (
    select d.number, d.status, d.attempts, d.last_status, ${DUE} as next_attempt_at from deliveries d
    where d.merchant_id = e.merchant_id and d.mode = e.mode and d.sequence = e.sequence
    order by d.status = 'superseded', d.number desc limit 1) d on true`;
const SCOPE = "e.merchant_id = $1 and e.mode = $2";

const page = query<EventRow>(`
  select ${LINE} from ${LOG}
  where ${SCOPE} and e.sequence < $3 and ($5::text is null or e.kind = $5)
    and ($6::text is null or e.reference = $6 or e.sequence = $7::bigint)
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
  return page(pool, [id, mode, before, rows, event, search, number]);
}

const bySequence = query<EventRow & { body: Buffer }>(
  `select ${LINE}, e.body from ${LOG} where ${SCOPE} and e.sequence = $3`,
);

export async function findEvent(pool: Pool, { id, mode }: MerchantScope, sequence: number) {
  const [event] = await bySequence(pool, [id, mode, sequence]);
  return event;
}

/** One reference has a few events at most: a transfer that succeeds and is reversed has two. */
const EVENTS_MAX = 20;

const byReference = query<EventRow>(`
  select ${LINE} from ${LOG} where ${SCOPE} and e.reference = $3 order by e.sequence limit ${EVENTS_MAX}`);

/** Oldest first. */
export function eventsAbout(pool: Pool, { id, mode }: MerchantScope, reference: string): Promise<EventRow[]> {
  return byReference(pool, [id, mode, reference]);
}

const named = query<{ sequence: bigint; body: Buffer }>(`
  select e.sequence, e.body from events e where ${SCOPE} and e.reference = $3 and e.kind = $4
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
