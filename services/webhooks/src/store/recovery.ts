import type { Mode } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";
import type { EventDraft } from "../domain/event.ts";

/** An event with the numbers that it had before the database was restored. */
export type NumberedDraft = EventDraft & { sequence: number; deliveryNumber: number | null };

/**
 * Records events under their former numbers, and creates their deliveries to the current URL under the former delivery numbers:
 * they may have been sent, and may be sent again. The counters continue from the last number.
 */
const record = statement(`
  with given as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bytea[], $8::timestamptz[],
        $9::timestamptz[], $10::bigint[], $11::bigint[])
      as g (key, merchant_id, mode, kind, reference, amount_kobo, body, created_at, received_at, sequence, delivery_number)
  ),
  recorded as (
    insert into events (merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, delivery_number, created_at, received_at)
    select merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, delivery_number, created_at, received_at from given
    order by key
    on conflict (key) do nothing
    returning merchant_id, mode, sequence, kind, delivery_number
  ),
  counted as (
    insert into counters as c (merchant_id, mode, sequence)
    select merchant_id, mode, max(sequence) from given group by merchant_id, mode order by merchant_id, mode
    on conflict (merchant_id, mode) do update set sequence = greatest(c.sequence, excluded.sequence)
  )
  insert into deliveries (number, merchant_id, mode, sequence, url, kind, next_attempt_at)
  select r.delivery_number, r.merchant_id, r.mode, r.sequence, e.url, r.kind, clock_timestamp()
  from recorded r join endpoints e using (merchant_id, mode)
  where e.url is not null and r.delivery_number is not null
  order by r.delivery_number`);

/** Drafts whose numbers were assigned to other events before the restore was detected. */
const taken = statement<{ key: string }>(`
  select g.key from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
    as g (key, merchant_id, mode, sequence, delivery_number)
  where exists (
      select from events e
      where e.merchant_id = g.merchant_id and e.mode = g.mode and e.sequence = g.sequence and e.key <> g.key)
    or exists (
      select from deliveries d where d.number = g.delivery_number
        and (d.merchant_id, d.mode, d.sequence) is distinct from (g.merchant_id, g.mode, g.sequence))`);

/** Returns the drafts whose numbers are taken: they are not recorded, and do not block the others. */
export async function restoreEvents(pool: Pool, drafts: NumberedDraft[]): Promise<NumberedDraft[]> {
  if (drafts.length === 0) return [];
  const all = drafts.map((draft) => ({ ...draft, merchantId: draft.merchant.id, mode: draft.merchant.mode }));
  const found = await taken(pool, columns(all, "key", "merchantId", "mode", "sequence", "deliveryNumber"));
  const keys = new Set(found.map(({ key }) => key));
  const rows = all.filter(({ key }) => !keys.has(key));
  if (rows.length > 0) await write(pool, rows);
  return drafts.filter(({ key }) => keys.has(key));
}

async function write(pool: Pool, rows: (NumberedDraft & { merchantId: string; mode: string })[]): Promise<void> {
  await record(pool, [
    ...columns(rows, "key", "merchantId", "mode", "kind", "reference", "amountKobo", "body", "createdAt", "receivedAt"),
    ...columns(rows, "sequence", "deliveryNumber"),
  ]);
}

const gaps = statement<{ merchant_id: string; mode: string; missing: number }>(`
  select merchant_id, mode, (c.sequence - first + 1 - recorded.events)::integer as missing
  from unnest($1::text[], $2::text[], $3::bigint[]) as f (merchant_id, mode, first)
  join counters c using (merchant_id, mode)
  cross join lateral (
    select count(*) as events from events e
    where e.merchant_id = f.merchant_id and e.mode = f.mode and e.sequence >= f.first
  ) as recorded
  where c.sequence - first + 1 > recorded.events`);

export type FirstRestored = { merchantId: string; mode: string; first: number };
/** The merchants with numbers that have no event, from the first restored event on. */
export const gapsSince = (pool: Pool, merchants: FirstRestored[]) =>
  gaps(pool, columns(merchants, "merchantId", "mode", "first"));

/** Skips delivery numbers that no other service was notified of: deliveries to a second URL, for instance. */
const MARGIN = 1_000_000;
const advance = statement(`
  select setval('deliveries_number_seq',
    greatest((select coalesce(max(number), 0) from deliveries), $1::bigint, (select last_value from deliveries_number_seq)) + ${MARGIN})`);

export async function moveDeliveryNumbers(pool: Pool, highest: number): Promise<void> {
  await advance(pool, [highest]);
}

export type AttachedRow = {
  key: string;
  merchant_id: string;
  mode: Mode;
  body: Buffer;
  created_at: string;
  /** The same to the microsecond. */
  at: string;
};
const attached = statement<AttachedRow>(`
  select key, merchant_id, mode, body, created_at,
    to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as at
  from events where kind = 'collection.attached' and created_at >= $1 and (created_at, key) > ($2::timestamptz, $3)
  order by created_at, key limit $4`);

export type Place = { at: string; key: string };
const START: Place = { at: "0001-01-01T00:00:00+00:00", key: "" };

/** The events of attached collections since then, oldest first. A test clock is ahead, so that none is left out for its time. */
export function attachedSince(
  pool: Pool,
  { since, after, limit }: { since: string; after: Place | null; limit: number },
) {
  const { at, key } = after ?? START;
  return attached(pool, [since, at, key, limit]);
}

const bodies = statement<{ key: string; body: Buffer }>("select key, body from events where key = any($1::text[])");
export const bodiesOf = (pool: Pool, keys: string[]) => bodies(pool, [keys]);
