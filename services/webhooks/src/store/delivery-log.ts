import { type DELIVERY_STATUSES, type MerchantScope, WEBHOOK_KINDS } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";

export type DeliveryRow = {
  number: bigint;
  sequence: bigint;
  event: string;
  reference: string;
  url: string;
  status: (typeof DELIVERY_STATUSES)[number];
  attempts: number;
  last_status: number | null;
  next_attempt_at: string | null;
  created_at: string;
};

/** When `d` is due. While it is being sent nobody knows whether there will be another attempt. */
export const DUE = "case when not (d.claimed and d.next_attempt_at > now()) then d.next_attempt_at end";

const SHOWN = `d.number, d.sequence, e.kind as event, e.reference, d.url, d.status, d.attempts, d.last_status,
  ${DUE} as next_attempt_at, coalesce(d.created_at, e.created_at) as created_at`;
/** The limit holds the planner to one look-up by key for each. */
const WITH_EVENT = `lateral (select kind, reference, body, created_at from events
    where (merchant_id, mode, sequence) = (d.merchant_id, d.mode, d.sequence) limit 1) e`;

/** The last one is of deliveries that a release wrote that did not note the kind. */
const KINDS = [...WEBHOOK_KINDS, ""];

const pageOf = (numbers: string) =>
  statement<DeliveryRow>(`
  with page as (${numbers} order by number desc limit $4)
  select ${SHOWN} from page, lateral (select * from deliveries where number = page.number limit 1) d, ${WITH_EVENT}
  order by d.number desc`);

/** The newest of each kind and status, merged: every list is made of ranges of one index, which is written once a status. */
const inStatus = pageOf(`
  select newest.number from unnest($5::text[]) k (kind), unnest($6::text[]) s (status), lateral (
    select number from deliveries d
    where (d.merchant_id, d.mode, d.kind, d.status) = ($1, $2, k.kind, s.status) and d.number < $3
    order by d.number desc limit $4) newest`);

const failing = pageOf(`
  select newest.number from unnest($5::text[]) k (kind), lateral (
    select number from deliveries d
    where (d.merchant_id, d.mode, d.kind) = ($1, $2, k.kind) and d.status = 'pending' and d.attempts > d.attempts_before and d.number < $3
    order by d.number desc limit $4) newest`);

/** Few rows: those of one reference, and the one with that number. */
const sought = pageOf(`
  select d.number from (
    select d.number from events e join deliveries d on (d.merchant_id, d.mode, d.sequence) = (e.merchant_id, e.mode, e.sequence)
      where e.merchant_id = $1 and e.mode = $2 and e.reference = $7
    union select $8::bigint) found (number), lateral (select * from deliveries where number = found.number limit 1) d
  where d.merchant_id = $1 and d.mode = $2 and d.number < $3 and d.kind = any($5::text[]) and d.status = any($6::text[])
    and (not $9::boolean or d.attempts > d.attempts_before)`);

export type DeliveriesAsked = {
  before: string;
  rows: number;
  statuses: readonly string[];
  /** Only those of which an attempt of the present round failed. */
  onlyFailing: boolean;
  event: string | undefined;
  search: string | undefined;
  /** What is sought, where it is a number. */
  number: string | undefined;
};

/** So many deliveries before a number, newest first. */
export function pageOfDeliveries(
  pool: Pool,
  { id, mode }: MerchantScope,
  asked: DeliveriesAsked,
): Promise<DeliveryRow[]> {
  const { before, rows, statuses, onlyFailing, event, search, number } = asked;
  const kinds = event === undefined ? KINDS : [event];
  const page = [id, mode, before, rows, kinds];
  if (search !== undefined) return sought(pool, [...page, statuses, search, number, onlyFailing]);
  return onlyFailing ? failing(pool, page) : inStatus(pool, [...page, statuses]);
}

const byNumber = statement<DeliveryRow & { body: Buffer }>(`
  select ${SHOWN}, e.body from deliveries d, ${WITH_EVENT} where d.number = $3 and d.merchant_id = $1 and d.mode = $2`);

export async function findDelivery(pool: Pool, { id, mode }: MerchantScope, number: number | bigint) {
  const [delivery] = await byNumber(pool, [id, mode, number]);
  return delivery;
}

/** An event has one delivery for each URL that the endpoint had while the event was not acknowledged, or replayed. */
const DELIVERIES_MAX = 100;

const ofEvent = statement<DeliveryRow>(`
  select ${SHOWN} from deliveries d, ${WITH_EVENT} where d.merchant_id = $1 and d.mode = $2 and d.sequence = $3
  order by d.number desc limit ${DELIVERIES_MAX}`);

export function deliveriesOfEvent(pool: Pool, { id, mode }: MerchantScope, sequence: number): Promise<DeliveryRow[]> {
  return ofEvent(pool, [id, mode, sequence]);
}
