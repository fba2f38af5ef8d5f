import { query, type Session } from "@collect/database";

export type Offer = { line: string; bank_transfer_id: string; account_number: string; amount: bigint };

const insert = query(`
  insert into offers (line_id, account, bank_transfer_id, account_number, amount)
  select id, account, $2, $3, $4 from lines where id = $1`);
/** Under the lock of the account. */
export const storeOffer = (tx: Session, { line, bank_transfer_id, account_number, amount }: Offer) =>
  insert(tx, [line, bank_transfer_id, account_number, amount]);

const read = query<Omit<Offer, "line">>(
  "select bank_transfer_id, account_number, amount from offers where line_id = $1",
);
export async function readOffer(tx: Session, line: string): Promise<Omit<Offer, "line"> | undefined> {
  const [row] = await read(tx, [line]);
  return row;
}

const BACK_DAYS = 31;
const known = query<{ key: string }>(`
  select key from movements join lines on lines.id = $1 and movements.account = lines.account
  where movements.booked_on >= lines.booked_on - ${BACK_DAYS} and movements.refs @> array[$2::text] limit 1`);
/** A transfer that was reported under this id. */
export async function readReported(tx: Session, line: string, id: string): Promise<string | undefined> {
  const [row] = await known(tx, [line, id]);
  return row?.key;
}
