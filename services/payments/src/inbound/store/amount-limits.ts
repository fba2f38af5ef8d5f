import { type Session, statement } from "@collect/database";
import { AMOUNT_MAX } from "../domain/session.ts";

/** The largest amount one session of a merchant may ask for, where it is not the usual one. In kobo. */

const setLimit = statement(`
  insert into amount_limits (merchant_id, amount) values ($1, $2)
  on conflict (merchant_id) do update set amount = excluded.amount`);

export async function setAmountLimitOf(tx: Session, merchantId: string, amount: bigint): Promise<void> {
  await setLimit(tx, [merchantId, amount]);
}

const read = statement<{ amount: bigint }>(`
  select least(coalesce((select amount from amount_limits where merchant_id = $1), $2::bigint), $3::bigint) as amount`);

/** What one session of the merchant may ask for, in kobo: its own limit or the usual one, never above what anyone may. */
export async function amountLimitOf(tx: Session, merchantId: string, usual: bigint): Promise<bigint> {
  const [limit] = await read(tx, [merchantId, usual, AMOUNT_MAX]);
  return limit?.amount ?? usual;
}
