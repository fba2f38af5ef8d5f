import { type Session, statement } from "@collect/database";
import { AMOUNT_MAX } from "../domain/session.ts";

/** The largest amount of one session of a merchant, if it is not the default. In kobo. */

const setLimit = statement(`
  insert into amount_limits (merchant_id, amount) values ($1, $2)
  on conflict (merchant_id) do update set amount = excluded.amount`);

export async function setAmountLimitOf(tx: Session, merchantId: string, amount: bigint): Promise<void> {
  await setLimit(tx, [merchantId, amount]);
}

const read = statement<{ amount: bigint }>(`
  select least(coalesce((select amount from amount_limits where merchant_id = $1), $2::bigint), $3::bigint) as amount`);

/**
 * The largest amount of one session of the merchant, in kobo: its own limit or the default, never above the maximum for
 * all merchants.
 */
export async function amountLimitOf(tx: Session, merchantId: string, defaultLimit: bigint): Promise<bigint> {
  const [limit] = await read(tx, [merchantId, defaultLimit, AMOUNT_MAX]);
  return limit?.amount ?? defaultLimit;
}
