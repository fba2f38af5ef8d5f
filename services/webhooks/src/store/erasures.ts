import { columns, type Pool, statement, type Transaction } from "@collect/database";

const counts = statement<{ events: number; pending: number; responses: number }>(`
  select count(*)::integer as events, coalesce(sum(d.pending), 0)::integer as pending,
    coalesce(sum(d.responses), 0)::integer as responses
  from events e cross join lateral (
    select count(*) filter (where status = 'pending' and next_attempt_at is not null) as pending,
      sum((select count(*) from attempts a where a.delivery_number = deliveries.number and a.response is not null)) as responses
    from deliveries where (merchant_id, mode, sequence) = (e.merchant_id, e.mode, e.sequence)
  ) as d
  where e.key = any($1::text[])`);

/** How many of these events there are, deliveries that are not over (one that is held is sent with what is left of its body), and stored responses. */
export async function countEvents(pool: Pool, keys: string[]) {
  const [row] = await counts(pool, [keys]);
  if (!row) throw new Error("an aggregate without a row");
  return row;
}

const lock = statement<{ key: string; body: Buffer }>(
  "select key, body from events where key = any($1::text[]) order by key for update",
);
export const lockBodies = (tx: Transaction, keys: string[]) => lock(tx, [keys]);

const replace = statement<{ key: string; body_hash: string }>(`
  update events e set body = given.body from unnest($1::text[], $2::bytea[]) as given (key, body)
  where e.key = given.key returning e.key, encode(sha256(e.body), 'hex') as body_hash`);
const forget = statement(`
  update attempts a set response = null
  from events e join deliveries d using (merchant_id, mode, sequence)
  where e.key = any($1::text[]) and a.delivery_number = d.number and a.response is not null`);

/** Replaces the bodies, and forgets what merchants' servers responded to them. Returns the hashes of the new bodies. */
export async function replaceBodies(tx: Transaction, events: { key: string; body: Buffer }[]) {
  const replaced = await replace(tx, columns(events, "key", "body"));
  await forget(tx, [events.map(({ key }) => key)]);
  return replaced;
}
