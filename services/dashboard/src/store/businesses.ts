import { columns, type Pool, statement, type Transaction, transaction } from "@collect/database";

/** A copy of the gateway's data about a merchant. */
export type Business = { id: string; name: string };

export type Counted = { made: number; today: number; seconds: number };

/** Businesses that one user creates at once queue here, so that each sees those before it. */
const lockFounder = statement("select from users where id = $1 for update");
/** `seconds` until the oldest of the last day is a day old. */
const count = statement<Counted>(`
  select count(*)::integer as made, count(*) filter (where is_recent)::integer as today,
    coalesce(ceil(extract(epoch from min(created_at) filter (where is_recent) + interval '1 day' - clock_timestamp())), 1)::integer as seconds
  from businesses, lateral (select created_at > clock_timestamp() - interval '1 day' as is_recent) age where founder_id = $1`);

const begin = statement(`
  insert into businesses (id, name, founder_id) values ($1, $2, $3) on conflict (founder_id, name) do nothing`);
const findByName = statement<Business & { registered: boolean }>(`
  select id, name, registered_at is not null as registered from businesses where founder_id = $1 and name = $2`);

/**
 * Commits a business's id before the gateway is requested to register it. The same founder and name are the same business, which
 * is found whatever `assertRoom` would say of a new one.
 */
export async function beginBusiness(
  pool: Pool,
  { id, name, founderId }: { id: string; name: string; founderId: string },
  assertRoom: (counted: Counted) => void,
): Promise<Business & { registered: boolean }> {
  return transaction(pool, async (tx) => {
    await lockFounder(tx, [founderId]);
    const [known] = await findByName(tx, [founderId, name]);
    if (known) return known;
    const [counted] = await count(tx, [founderId]);
    if (counted) assertRoom(counted);
    await begin(tx, [id, name, founderId]);
    const [business] = await findByName(tx, [founderId, name]);
    if (!business) throw new Error("a business was not stored");
    return business;
  });
}

/** The founder becomes the owner when the business is first registered; a founder who was removed since is not added again. */
const finish = statement(`
  with registered as (
    update businesses set registered_at = clock_timestamp() where id = $1 and registered_at is null returning id, founder_id
  )
  insert into members (merchant_id, user_id, role) select id, founder_id, 'owner' from registered where founder_id is not null
  on conflict (merchant_id, user_id) do nothing`);

export const finishBusiness = async (pool: Pool, id: string) => void (await finish(pool, [id]));

const unfinished = statement<Business>(`
  select id, name from businesses where registered_at is null and created_at < clock_timestamp() - interval '30 seconds'
  order by created_at limit 50`);

/** Businesses whose registration was interrupted. */
export const listUnfinished = (pool: Pool): Promise<Business[]> => unfinished(pool);

const adopt = statement(`
  insert into businesses (id, name, registered_at) values ($1, $2, clock_timestamp()) on conflict (id) do nothing`);

/** Stores a merchant that was not created in the dashboard. */
export const adoptBusiness = async (tx: Transaction | Pool, { id, name }: Business) =>
  void (await adopt(tx, [id, name]));

const update = statement(`
  update businesses b set verified_at = reported.verified_at
  from unnest($1::text[], $2::timestamptz[]) as reported (id, verified_at)
  where b.id = reported.id and b.verified_at is distinct from reported.verified_at`);

/** Stores the verification times that the gateway reported, where they differ. */
export async function noteVerified(
  pool: Pool,
  merchants: { merchant_id: string; verified_at: string | null }[],
): Promise<void> {
  await update(pool, columns(merchants, "merchant_id", "verified_at"));
}
