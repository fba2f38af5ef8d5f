import type { MerchantScope } from "@collect/contracts";
import { type Pool, statement, type Transaction } from "@collect/database";

/** The challenges sent to URLs. Their limits are counted here, exactly: who sends one holds both locks until it is stored. */

export type NewChallenge = { merchant: MerchantScope; url: string; host: string };

/** In this order, the merchant's first, so that two callers cannot wait for each other. */
const lock = statement("select pg_advisory_xact_lock(hashtextextended('challenges ' || $1, 0))");

/** The seconds until one more is allowed, for the scope that allows it last; null while both allow one. */
const wait = statement<{ seconds: number | null }>(`
  select max(ceil(extract(epoch from sent_at + interval '60 minutes' - clock_timestamp())))::integer as seconds from (
    (select sent_at from challenges where merchant_id = $1 and mode = $2 and sent_at > clock_timestamp() - interval '60 minutes'
      order by sent_at desc offset $4 - 1 limit 1)
    union all
    (select sent_at from challenges where host = $3 and sent_at > clock_timestamp() - interval '60 minutes'
      order by sent_at desc offset $5 - 1 limit 1)) as oldest_that_counts`);

const insert = statement<{ id: bigint }>(
  "insert into challenges (merchant_id, mode, url, host) values ($1, $2, $3, $4) returning id",
);

/** Stores a challenge that is about to be sent, or says when one more is allowed. */
export async function beginChallenge(
  tx: Transaction,
  { merchant, url, host }: NewChallenge,
  limits: { perMerchant: number; perHost: number },
): Promise<{ id: bigint } | { retryAfterS: number }> {
  await lock(tx, [`of ${merchant.mode} ${merchant.id}`]);
  await lock(tx, [`to ${host}`]);
  const values = [merchant.id, merchant.mode, host, limits.perMerchant, limits.perHost];
  const [waiting] = await wait(tx, values);
  if (waiting && waiting.seconds !== null) return { retryAfterS: Math.max(waiting.seconds, 1) };
  const [begun] = await insert(tx, [merchant.id, merchant.mode, url, host]);
  if (!begun) throw new Error("a challenge was not stored");
  return begun;
}

const update = statement("update challenges set answered = $2::text is null, error = $2 where id = $1");

/** `error` says why it does not count as answered; null when it does. */
export const storeAnswer = async (pool: Pool, id: bigint, error: string | null) =>
  void (await update(pool, [id, error]));

const deleteOld = statement<{ id: bigint }>(`
  delete from challenges where id = any (array(
    select id from challenges where sent_at < clock_timestamp() - $1 * interval '1 day' order by sent_at limit $2
    for update skip locked))
  returning id`);

export const deleteChallenges = async (pool: Pool, { days, max }: { days: number; max: number }): Promise<number> =>
  (await deleteOld(pool, [days, max])).length;
