import type { Mode } from "@collect/contracts";
import { columns, statement, type Transaction } from "@collect/database";
import type { EventDraft } from "../domain/event.ts";

/** An event as it was recorded the first time. */
export type RecordedEvent = {
  key: string;
  merchant_id: string;
  mode: Mode;
  sequence: bigint;
  reference: string;
  amount_kobo: bigint;
  delivery_number: bigint | null;
  created_at: string;
  /** Where its delivery goes, when this call made one; null for repeats and without a URL. */
  url: string | null;
  secret: string | null;
};

/** Locks the counters of the batch in one order, so that its events get their numbers alone, and makes the missing ones. */
const lock = statement(`
  insert into counters as c (merchant_id, mode)
  select distinct s.merchant_id, s.mode from unnest($1::text[], $2::text[]) as s (merchant_id, mode) order by 1, 2
  on conflict (merchant_id, mode) do update set sequence = c.sequence`);

/**
 * Records what is not there yet: numbers it, in the order given, and makes its delivery where there is a URL. Runs after
 * the lock was taken, so its snapshot has what a twin committed meanwhile. The delivery is born claimed until the lease ends.
 */
const insert = statement<RecordedEvent>(`
  with fresh as (
    select i.*, c.sequence + row_number() over (partition by i.merchant_id, i.mode order by i.place) as sequence,
      e.url, e.secret, case when e.url is not null then nextval('deliveries_number_seq') end as delivery_number
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bytea[], $8::timestamptz[])
      with ordinality as i (key, merchant_id, mode, kind, reference, amount_kobo, body, created_at, place)
    join counters c using (merchant_id, mode)
    left join endpoints e using (merchant_id, mode)
    where not exists (select from events where events.key = i.key)
  ),
  counted as (
    update counters c set sequence = f.sequence
    from (select merchant_id, mode, max(sequence) as sequence from fresh group by merchant_id, mode) f
    where (c.merchant_id, c.mode) = (f.merchant_id, f.mode)
  ),
  recorded as (
    insert into events (merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, delivery_number, created_at)
    select merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, delivery_number, created_at from fresh
  ),
  handed as (
    insert into deliveries (number, merchant_id, mode, sequence, url, next_attempt_at)
    select delivery_number, merchant_id, mode, sequence, url, clock_timestamp() + $9 * interval '1 millisecond'
    from fresh where url is not null
  )
  select key, merchant_id, mode, sequence, reference, amount_kobo, delivery_number, created_at, url, secret from fresh`);

const readBack = statement<RecordedEvent>(`
  select key, merchant_id, mode, sequence, reference, amount_kobo, delivery_number, created_at, null as url, null as secret
  from events where key = any($1::text[])`);

/** Every draft as it stands recorded, first times and repeats alike, in the order given. Throws when a repeat says something else. */
export async function recordEvents(tx: Transaction, drafts: EventDraft[], leaseMs: number): Promise<RecordedEvent[]> {
  const rows = drafts.map((draft) => ({ ...draft, merchantId: draft.merchant.id, mode: draft.merchant.mode }));
  await lock(tx, columns(rows, "merchantId", "mode"));
  const fields = columns(rows, "key", "merchantId", "mode", "kind", "reference", "amountKobo", "body", "createdAt");
  const recorded = new Map((await insert(tx, [...fields, leaseMs])).map((event) => [event.key, event]));

  const repeats = drafts.filter(({ key }) => !recorded.has(key)).map(({ key }) => key);
  if (repeats.length > 0) for (const event of await readBack(tx, [repeats])) recorded.set(event.key, event);
  return drafts.map((draft) => sameEvent(draft, recorded.get(draft.key)));
}

function sameEvent(draft: EventDraft, event: RecordedEvent | undefined): RecordedEvent {
  if (!event) throw new Error(`${draft.key} is neither new nor recorded`);
  const differs = [
    event.merchant_id !== draft.merchant.id && "merchant",
    event.mode !== draft.merchant.mode && "mode",
    event.amount_kobo !== draft.amountKobo && "amount",
    event.reference !== draft.reference && "reference",
  ].filter(Boolean);
  if (differs.length > 0) throw new Error(`${draft.key} is recorded with another ${differs.join(", ")}`);
  return event;
}
