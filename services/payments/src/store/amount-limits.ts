import { type Session, statement } from "@collect/database";

/** The largest amount one session of a merchant may ask for, where it is not the usual one. In kobo. */

const setLimit = statement(`
  insert into amount_limits (merchant_id, amount) values ($1, $2)
  on conflict (merchant_id) do update set amount = excluded.amount`);

export async function setAmountLimitOf(tx: Session, merchantId: string, amount: bigint): Promise<void> {
  await setLimit(tx, [merchantId, amount]);
}

const read = statement<{ amount: bigint }>("select amount from amount_limits where merchant_id = $1");

export async function amountLimitOf(tx: Session, merchantId: string): Promise<bigint | undefined> {
  const [limit] = await read(tx, [merchantId]);
  return limit?.amount;
}
