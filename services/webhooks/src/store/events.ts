import type { Mode, ReceiverScenario } from "@collect/contracts";
import { columns, type Session, statement } from "@collect/database";
import type { EventDraft } from "../domain/event.ts";
import { simulatedResponsesOf } from "./simulated-responses.ts";
import { secretsOf } from "./webhook-endpoints.ts";

/** An event as first recorded. */
export type RecordedEvent = {
  key: string;
  merchant_id: string;
  mode: Mode;
  sequence: bigint;
  reference: string;
  amount_kobo: bigint;
  delivery_number: bigint | null;
  created_at: string;
  /** SHA-256 of the stored body, in hexadecimal. */
  body_hash: string;
  /** The URL of the delivery that this call created; null for repeats, without a URL, and while the endpoint is held. */
  url: string | null;
  secret: string | null;
  staged_secret: string | null;
  simulated: ReceiverScenario[] | null;
};

const BODY_HASH = "encode(sha256(body), 'hex') as body_hash";

/**
 * Records new events: numbers them in the order given and creates their deliveries where there is a URL. The counters are
 * locked in one order and advanced; the numbers follow their previous values. If a concurrent duplicate has recorded one of the
 * keys meanwhile, the statement fails on that key, its counters roll back, and it is retried. The delivery is created claimed
 * until the lease ends, or held without a time (see holds.ts); a test event is sent even then.
 */
const insert = statement<RecordedEvent>(`
  with missing as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bytea[], $8::timestamptz[], $9::timestamptz[])
      with ordinality as i (key, merchant_id, mode, kind, reference, amount_kobo, body, created_at, received_at, position)
    where not exists (select from events where events.key = i.key)
  ),
  counted as (
    insert into counters as c (merchant_id, mode, sequence)
    select merchant_id, mode, count(*) from missing group by merchant_id, mode order by merchant_id, mode
    on conflict (merchant_id, mode) do update set sequence = c.sequence + excluded.sequence
    returning merchant_id, mode, coalesce(old.sequence, 0) as sequence_before
  ),
  numbered as (
    select f.*, e.url, h.state is not null and f.kind <> 'webhook.test' as is_held, ${secretsOf("e")}, case when e.url is not null then nextval('deliveries_number_seq') end as delivery_number,
      ${simulatedResponsesOf("f")} as simulated,
      c.sequence_before + row_number() over (partition by f.merchant_id, f.mode order by f.position) as sequence
    from missing f join counted c using (merchant_id, mode) left join endpoints e using (merchant_id, mode)
      left join holds h using (merchant_id, mode)
  ),
  recorded as (
    insert into events (merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, delivery_number, created_at, received_at)
    select merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, delivery_number, created_at, received_at from numbered
  ),
  enqueued as (
    insert into deliveries (number, merchant_id, mode, sequence, url, kind, claimed, next_attempt_at, simulated)
    select delivery_number, merchant_id, mode, sequence, url, kind, not is_held,
      case when not is_held then clock_timestamp() + $10 * interval '1 millisecond' end, simulated
    from numbered where url is not null
  )
  select key, merchant_id, mode, sequence, reference, amount_kobo, delivery_number, created_at, ${BODY_HASH},
    case when not is_held then url end as url, secret, staged_secret, simulated
  from numbered`);

const readBack = statement<RecordedEvent>(`
  select key, merchant_id, mode, sequence, reference, amount_kobo, delivery_number, created_at, ${BODY_HASH}, null as url, null as secret, null as staged_secret, null as simulated
  from events where key = any($1::text[])`);

/** The recorded event of every draft, new or repeated, in the order given. Throws when a repeat has different content. */
export async function recordEvents(session: Session, drafts: EventDraft[], leaseMs: number): Promise<RecordedEvent[]> {
  const rows = drafts.map((draft) => ({ ...draft, merchantId: draft.merchant.id, mode: draft.merchant.mode }));
  const fields = columns(rows, ...FIELDS);
  const recorded = new Map((await insertNew(session, [...fields, leaseMs])).map((event) => [event.key, event]));

  const repeats = drafts.filter(({ key }) => !recorded.has(key)).map(({ key }) => key);
  if (repeats.length > 0) for (const event of await readBack(session, [repeats])) recorded.set(event.key, event);
  return drafts.map((draft) => sameEvent(draft, recorded.get(draft.key)));
}

const known = statement<{ key: string }>("select key from events where key = any($1::text[])");
/** The keys that are recorded. */
export async function recordedKeys(session: Session, keys: string[]): Promise<Set<string>> {
  return new Set((await known(session, [keys])).map(({ key }) => key));
}

/** Concurrent duplicates that one batch may lose to; each leaves fewer keys to conflict. */
const TRIES = 5;

async function insertNew(session: Session, values: unknown[]): Promise<RecordedEvent[]> {
  for (let left = TRIES; ; left--) {
    try {
      return await insert(session, values);
    } catch (error) {
      const taken = error instanceof Error && "constraint" in error && error.constraint === "events_key_key";
      if (!taken || left === 0) throw error;
    }
  }
}

const FIELDS = [
  "key",
  "merchantId",
  "mode",
  "kind",
  "reference",
  "amountKobo",
  "body",
  "createdAt",
  "receivedAt",
] as const;

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
