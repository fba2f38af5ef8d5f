import type { MerchantScope, Mode, WEBHOOK_KINDS } from "@collect/contracts";
import { type Pool, query } from "@collect/database";
import type { Page } from "../domain/page.ts";
import { DUE } from "./delivery-log.ts";

/** An event with the delivery that determines its status. */
export type EventRow = {
  sequence: bigint;
  kind: (typeof WEBHOOK_KINDS)[number];
  reference: string;
  amount_kobo: bigint;
  created_at: string;
  /** Null, like all fields below, if the event has no delivery. */
  number: bigint | null;
  status: "pending" | "delivered" | "exhausted" | "superseded";
  attempts: number;
  last_status: number | null;
  next_attempt_at: string | null;
};

const LINE = `e.sequence, e.kind, e.reference, e.amount_kobo, e.created_at,
  d.number, d.status, d.attempts, d.last_status, d.next_attempt_at`;

/** Events, each with its newest delivery that is not superseded, or else its newest. */
const LOG = `events e left join lateral (
    select d.number, d.status, d.attempts, d.last_status, ${DUE} as next_attempt_at from deliveries d
    where d.merchant_id = e.merchant_id and d.mode = e.mode and d.sequence = e.sequence
    order by d.status = 'superseded', d.number desc limit 1) d on true`;
const SCOPE = "e.merchant_id = $1 and e.mode = $2";

const MATCHING = `($4::text is null or e.kind = $4)
    and ($5::text is null or e.reference = $5 or e.sequence = $6::bigint) and ($7::bigint[] is null or e.sequence = any($7))`;

const newest = query<EventRow>(`
  select ${LINE} from ${LOG} where ${SCOPE} and e.sequence < $3 and ${MATCHING}
  order by e.sequence desc limit $8`);

/** Times do not always grow with the numbers: of test events, for one, while a test clock is ahead. */
const newestOfSpan = query<EventRow>(`
  select ${LINE} from ${LOG}
  where ${SCOPE} and e.created_at >= $9 and (e.created_at, e.sequence) < ($10::timestamptz, $3::bigint) and ${MATCHING}
  order by e.created_at desc, e.sequence desc limit $8`);

export type EventsAsked = {
  page: Page;
  rows: number;
  event: string | undefined;
  search: string | undefined;
  /** The search term, if it is a number. */
  number: string | undefined;
  /** Only these sequence numbers. */
  selected: string[] | undefined;
};

/** The next `rows` events of a page, newest first. */
export function pageOfEvents(pool: Pool, { id, mode }: MerchantScope, asked: EventsAsked): Promise<EventRow[]> {
  const { page, rows, event, search, number, selected } = asked;
  const values = [id, mode, page.below, event, search, number, selected, rows];
  return page.span ? newestOfSpan(pool, [...values, page.span.from, page.span.before]) : newest(pool, values);
}

export type StoredEvent = EventRow & { body: Buffer };

const following = query<StoredEvent>(`
  select ${LINE}, e.body from ${LOG}
  where ${SCOPE} and e.sequence > $3 and ($5::text is null or e.kind = $5) order by e.sequence limit $4`);

/** The next `rows` events after a sequence number, oldest first. */
export function eventsFollowing(
  pool: Pool,
  { id, mode }: MerchantScope,
  { after, rows, kind }: { after: number; rows: number; kind: string | undefined },
): Promise<StoredEvent[]> {
  return following(pool, [id, mode, after, rows, kind]);
}

const newestOfEach = query<{ merchant_id: string; sequence: bigint }>(`
  select m.id as merchant_id, e.sequence from unnest($2::text[]) m (id), lateral (
    select sequence from events where merchant_id = m.id and mode = $1 order by sequence desc limit 1) e`);

/** The last number in the log of each merchant that has events. */
export function lastSequences(pool: Pool, { mode, merchantIds }: { mode: Mode; merchantIds: string[] }) {
  return newestOfEach(pool, [mode, merchantIds]);
}

const bySequence = query<StoredEvent>(`select ${LINE}, e.body from ${LOG} where ${SCOPE} and e.sequence = $3`);

export async function findEvent(pool: Pool, { id, mode }: MerchantScope, sequence: number | bigint) {
  const [event] = await bySequence(pool, [id, mode, sequence]);
  return event;
}

/** A reference has only a few events: a transfer that succeeds and is then reversed has two. */
const EVENTS_MAX = 20;

const byReference = query<EventRow>(`
  select ${LINE} from ${LOG} where ${SCOPE} and e.reference = $3 order by e.sequence limit ${EVENTS_MAX}`);

/** Oldest first. */
export function eventsAbout(pool: Pool, { id, mode }: MerchantScope, reference: string): Promise<EventRow[]> {
  return byReference(pool, [id, mode, reference]);
}

const ofReferences = query<{ reference: string; sequence: bigint }>(`
  select e.reference, e.sequence from events e where ${SCOPE} and e.reference = any($3::text[]) and e.kind = $4`);

/** The events of a kind about many references. */
export function eventsOf(
  pool: Pool,
  { id, mode }: MerchantScope,
  { references, kind }: { references: string[]; kind: EventRow["kind"] },
) {
  return ofReferences(pool, [id, mode, references, kind]);
}

const named = query<{ sequence: bigint; body: Buffer }>(`
  select e.sequence, e.body from events e where ${SCOPE} and e.reference = $3 and e.kind = $4
  order by e.sequence desc limit 1`);

/** The newest event with the kind and the reference that a body contains. */
export async function findNamedEvent(
  pool: Pool,
  { id, mode }: MerchantScope,
  { kind, reference }: { kind: string; reference: string },
) {
  const [event] = await named(pool, [id, mode, reference, kind]);
  return event;
}
