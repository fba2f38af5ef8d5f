import { columns, type Pool, statement, type Transaction } from "@collect/database";

/** The newest test secret key of each merchant, sealed, so that its team can see it again. */

export type StoredTestKey = { merchant_id: string; last_four: string; sealed: string };

/** The context in which a merchant's key is sealed: it opens in no other row. */
export const testKeyOf = (merchantId: string) => `the test secret key of ${merchantId}`;

const store = statement(`
  insert into test_keys (merchant_id, last_four, sealed) values ($1, $2, $3)
  on conflict (merchant_id) do update set last_four = excluded.last_four, sealed = excluded.sealed`);

/** Of two that are made at the same time either is kept; whether it works is the gateway's to say. */
export const storeTestKey = async (
  pool: Pool,
  { merchantId, lastFour, sealed }: Record<"merchantId" | "lastFour" | "sealed", string>,
) => void (await store(pool, [merchantId, lastFour, sealed]));

const find = statement<StoredTestKey>("select merchant_id, last_four, sealed from test_keys where merchant_id = $1");

export async function findTestKey(pool: Pool, merchantId: string): Promise<StoredTestKey | undefined> {
  const [key] = await find(pool, [merchantId]);
  return key;
}

const lock = statement<StoredTestKey>(`
  select merchant_id, last_four, sealed from test_keys where merchant_id > $1 order by merchant_id limit $2 for update`);

/** The next rows in key order, locked, so that a key that is made meanwhile comes before or after. */
export const lockTestKeys = (tx: Transaction, { after, limit }: { after: string; limit: number }) =>
  lock(tx, [after, limit]);

const reseal = statement(`
  update test_keys t set sealed = given.sealed
  from unnest($1::text[], $2::text[]) as given (merchant_id, sealed) where t.merchant_id = given.merchant_id`);

export const resealTestKeys = async (tx: Transaction, rows: StoredTestKey[]) =>
  void (await reseal(tx, columns(rows, "merchant_id", "sealed")));

const seen = statement<{ key_id: string; user_id: string }>(
  "select key_id, user_id from seen_test_keys where merchant_id = $1",
);

/** Who was shown which test secret key again. */
export const listSeenTestKeys = (pool: Pool, merchantId: string) => seen(pool, [merchantId]);

const see = statement(`
  insert into seen_test_keys (merchant_id, user_id, key_id) values ($1, $2, $3) on conflict do nothing`);

export const insertSeenTestKey = async (
  pool: Pool,
  { merchantId, userId, keyId }: Record<"merchantId" | "userId" | "keyId", string>,
) => void (await see(pool, [merchantId, userId, keyId]));
