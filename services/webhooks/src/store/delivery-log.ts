import { type DELIVERY_STATUSES, type MerchantScope, WEBHOOK_KINDS } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { deliveriesAt, deliveryNumbered, eventAt, eventsOfReference, placeOf } from "./look-ups.ts";

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
const WITH_EVENT = `lateral ${eventAt(placeOf("d"))} e`;

/** Of deliveries that a release wrote that did not note the kind. */
const NOT_NOTED = "";
export const KINDS = [...WEBHOOK_KINDS, NOT_NOTED];

const pageOf = (numbers: string) =>
  statement<DeliveryRow>(`
  with page as (${numbers} order by number desc limit $4)
  select ${SHOWN} from page, lateral ${deliveryNumbered("page.number")} d, ${WITH_EVENT}
  order by d.number desc`);

/**
 * Whether it is of the kind that was asked for, if one was. A release that did not note kinds may have written some of a
 * rollout: what those are, their events say. The scalar look-up is made for them alone, where `exists` could read all events.
 */
const OF_THE_KIND = `($6::text is null or $6 = case d.kind when '' then (
      select kind from ${eventAt(placeOf("d"))} e) else d.kind end)`;

/**
 * The newest of each kind and status, merged: every list is made of ranges of one index, which is written once a status. They
 * are ranges of places because only that index has their order: with plain equalities the primary key may be walked.
 */
const inStatus = pageOf(`
  select newest.number from unnest($5::text[]) k (kind), unnest($7::text[]) s (status), lateral (
    select number from deliveries d
    where (d.merchant_id, d.mode) = ($1, $2) and (d.kind, d.status) >= (k.kind, s.status)
      and (d.kind, d.status, d.number) < (k.kind, s.status, $3) and ${OF_THE_KIND}
    order by d.kind desc, d.status desc, d.number desc limit $4) newest`);

const failing = pageOf(`
  select newest.number from unnest($5::text[]) k (kind), lateral (
    select number from deliveries d
    where (d.merchant_id, d.mode) = ($1, $2) and d.kind >= k.kind and (d.kind, d.number) < (k.kind, $3)
      and d.status = 'pending' and d.attempts > d.attempts_before and ${OF_THE_KIND}
    order by d.kind desc, d.number desc limit $4) newest`);

/** Few rows: those of one reference, and the one with that number. */
const sought = pageOf(`
  select d.number from (
    select d.number from ${eventsOfReference("$8")} e, lateral ${deliveriesAt(placeOf("e"))} d
    union select $9::bigint) found (number), lateral ${deliveryNumbered("found.number")} d
  where d.merchant_id = $1 and d.mode = $2 and d.number < $3 and d.kind = any($5::text[]) and ${OF_THE_KIND} and d.status = any($7::text[])
    and (not $10::boolean or d.attempts > d.attempts_before)`);

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
  const kinds = event === undefined ? KINDS : [event, NOT_NOTED];
  const page = [id, mode, before, rows, kinds, event];
  if (search !== undefined) return sought(pool, [...page, statuses, search, number, onlyFailing]);
  return onlyFailing ? failing(pool, page) : inStatus(pool, [...page, statuses]);
}

const byNumber = statement<DeliveryRow & { body: Buffer }>(`
  select ${SHOWN}, e.body from ${deliveryNumbered("$3")} d, ${WITH_EVENT} where d.merchant_id = $1 and d.mode = $2`);

export async function findDelivery(pool: Pool, { id, mode }: MerchantScope, number: number | bigint) {
  const [delivery] = await byNumber(pool, [id, mode, number]);
  return delivery;
}

/** An event has one delivery for each URL that the endpoint had while the event was not acknowledged, or replayed. */
const DELIVERIES_MAX = 100;

const ofEvent = statement<DeliveryRow>(`
  select ${SHOWN} from ${deliveriesAt(["$1", "$2", "$3"])} d, ${WITH_EVENT}
  order by d.number desc limit ${DELIVERIES_MAX}`);

export function deliveriesOfEvent(pool: Pool, { id, mode }: MerchantScope, sequence: number): Promise<DeliveryRow[]> {
  return ofEvent(pool, [id, mode, sequence]);
}
