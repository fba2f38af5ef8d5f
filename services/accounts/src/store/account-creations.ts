import { type Pool, statement, type Transaction } from "@collect/database";

/** Accounts made per merchant and minute: sixty complete minutes and the current one count. */

const THIS_MINUTE = "floor(extract(epoch from clock_timestamp()) / 60)::bigint";

/** Makers of one merchant's accounts queue here until they commit, so that each sees what the one before has made. */
const lock = statement("select pg_advisory_xact_lock(hashtextextended('new accounts of ' || $1, 0))");

const made = statement<{ made: number; seconds: number }>(`
  select coalesce(sum(made), 0)::integer as made,
    greatest(ceil((coalesce(min(minute), ${THIS_MINUTE}) + 61) * 60 - extract(epoch from clock_timestamp())), 1)::integer as seconds
  from account_creations where merchant_id = $1 and minute > ${THIS_MINUTE} - 61`);

/** Counts the account in `inserted`, if there is one. */
export const COUNT_INSERTED = `
  insert into account_creations as c (merchant_id, minute, made) select merchant_id, ${THIS_MINUTE}, 1 from inserted
  on conflict (merchant_id, minute) do update set made = c.made + 1`;
const count = statement(`with inserted as (select $1::text as merchant_id) ${COUNT_INSERTED}`);

/**
 * Counts an account that this transaction has just inserted, unless the merchant has made `perHour` within the hour: then the
 * seconds until one more may be allowed, and the transaction must be rolled back.
 */
export async function countCreationWithin(
  tx: Transaction,
  merchantId: string,
  perHour: number,
): Promise<number | undefined> {
  await lock(tx, [merchantId]);
  const [recent] = await made(tx, [merchantId]);
  if (recent && recent.made >= perHour) return recent.seconds;
  await count(tx, [merchantId]);
}

const deleteOld = statement<{ minute: bigint }>(`
  delete from account_creations where (merchant_id, minute) in (
    select merchant_id, minute from account_creations where minute < ${THIS_MINUTE} - $1 * 1440 order by minute limit $2
    for update skip locked)
  returning minute`);

export const deleteCreations = async (pool: Pool, { days, max }: { days: number; max: number }): Promise<number> =>
  (await deleteOld(pool, [days, max])).length;
