import { type DELIVERY_STATUSES, type MerchantScope, WEBHOOK_KINDS } from "@collect/contracts";
import { type Pool, query } from "@collect/database";
import type { Page } from "../domain/page.ts";

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

/** When `d` is due; null while it is being sent, because it is not known yet whether there will be another attempt. */
export const DUE = "case when not (d.claimed and d.next_attempt_at > now()) then d.next_attempt_at end";

const COLUMNS = `d.number, d.sequence, e.kind as event, e.reference, d.url, d.status, d.attempts, d.last_status,
  ${DUE} as next_attempt_at, coalesce(d.created_at, e.created_at) as created_at`;
const LOG = "deliveries d join events e using (merchant_id, mode, sequence)";
const SCOPE = "d.merchant_id = $1 and d.mode = $2";

/** The kind of deliveries from a release that did not store it. */
const KIND_UNKNOWN = "";
export const KINDS = [...WEBHOOK_KINDS, KIND_UNKNOWN];

const pageOf = (numbers: string) =>
  query<DeliveryRow>(`
  with page as (${numbers} order by number desc limit $4)
  select ${COLUMNS} from page join deliveries d using (number) join events e using (merchant_id, mode, sequence)
  order by d.number desc`);

/** For deliveries without a kind, the kind of their event. */
const EVENT_HAS_KIND =
  "$5 = (select kind from events e where (e.merchant_id, e.mode, e.sequence) = (d.merchant_id, d.mode, d.sequence))";

/**
 * The newest deliveries of each kind and status, merged from ranges of one index, which each change of status writes once. Each
 * kind and status is a literal, so that the planner knows which ranges contain most rows and which none.
 */
const newestOf = (kinds: readonly string[], conditions: readonly string[]) =>
  kinds
    .flatMap((kind) => conditions.map((condition) => `d.kind = ${kind} and ${condition}`))
    .map(
      (where) =>
        `(select d.number from deliveries d where ${SCOPE} and d.number < $3 and ${where} order by d.number desc limit $4)`,
    )
    .join(" union all ");

const EVERY_KIND = KINDS.map((kind) => `'${kind}'`);
const ONE_KIND = ["$5", `'${KIND_UNKNOWN}' and ${EVENT_HAS_KIND}`];
const FAILING = "d.status = 'pending' and d.attempts > d.attempts_before";

/** Few rows match: those of one reference, and the one with that number; or those that were selected. */
const fewOf = pageOf(`
  select d.number from (
    select d.number from ${LOG} where e.merchant_id = $1 and e.mode = $2 and e.reference = $6
    union select $7::bigint union select unnest($10::bigint[]) where $6::text is null) found (number) join deliveries d using (number)
  where ${SCOPE} and d.number < $3 and ($5::text is null or d.kind = $5 or (d.kind = '${KIND_UNKNOWN}' and ${EVENT_HAS_KIND}))
    and d.status = any($8::text[]) and (not $9::boolean or ${FAILING})
    and ($10::bigint[] is null or d.number = any($10))`);

/**
 * Of a span of time. Rare statuses and kinds are read from the index that has them, and others from that of the times: so the
 * planner finds for the values of each call.
 */
const newestOfSpan = query<DeliveryRow>(`
  with page as (
    select d.number from deliveries d
    where ${SCOPE} and d.created_at >= $11 and (d.created_at, d.number) < ($12::timestamptz, $3::bigint)
      and d.status = any($8::text[]) and (not $9::boolean or ${FAILING})
      and d.kind = any($13::text[]) and ($5::text is null or d.kind = $5 or ${EVENT_HAS_KIND})
      and ($6::text is null or d.number = $7::bigint
        or d.sequence = any(array(select e.sequence from events e where e.merchant_id = $1 and e.mode = $2 and e.reference = $6)))
      and ($10::bigint[] is null or d.number = any($10))
    order by d.created_at desc, d.number desc limit $4)
  select ${COLUMNS} from page join deliveries d using (number) join events e using (merchant_id, mode, sequence)
  order by d.created_at desc, d.number desc`);

export type DeliveriesAsked = {
  page: Page;
  rows: number;
  statuses: readonly (typeof DELIVERY_STATUSES)[number][];
  /** Only those with a failed attempt in the current round. */
  onlyFailing: boolean;
  event: string | undefined;
  search: string | undefined;
  /** The search term, if it is a number. */
  number: string | undefined;
  /** Only these numbers. */
  selected: string[] | undefined;
};

/** The next `rows` deliveries of a page, newest first. */
export function pageOfDeliveries(
  pool: Pool,
  { id, mode }: MerchantScope,
  { page: { below, span }, rows, statuses, onlyFailing, event, search, number, selected }: DeliveriesAsked,
): Promise<DeliveryRow[]> {
  const page = [id, mode, below, rows];
  const few = [...page, event, search, number, statuses, onlyFailing, selected];
  if (span)
    return newestOfSpan(pool, [...few, span.from, span.before, event === undefined ? KINDS : [event, KIND_UNKNOWN]]);
  if (search !== undefined || selected) return fewOf(pool, few);
  const conditions = onlyFailing ? [FAILING] : statuses.map((status) => `d.status = '${status}'`);
  if (event === undefined) return pageOf(newestOf(EVERY_KIND, conditions))(pool, page);
  return pageOf(newestOf(ONE_KIND, conditions))(pool, [...page, event]);
}

const byNumber = query<DeliveryRow & { body: Buffer }>(
  `select ${COLUMNS}, e.body from ${LOG} where ${SCOPE} and d.number = $3`,
);

export async function findDelivery(pool: Pool, { id, mode }: MerchantScope, number: number | bigint) {
  const [delivery] = await byNumber(pool, [id, mode, number]);
  return delivery;
}

/** An event has one delivery for each URL that the endpoint had while the event was unacknowledged, or that it was replayed to. */
const DELIVERIES_MAX = 100;

const ofEvent = query<DeliveryRow>(
  `select ${COLUMNS} from ${LOG} where ${SCOPE} and d.sequence = $3 order by d.number desc limit ${DELIVERIES_MAX}`,
);

export function deliveriesOfEvent(pool: Pool, { id, mode }: MerchantScope, sequence: number): Promise<DeliveryRow[]> {
  return ofEvent(pool, [id, mode, sequence]);
}
