import { query, type Session } from "@collect/database";

export type Offer = {
  line: string;
  bank_transfer_id: string;
  account_number: string;
  amount: bigint;
  offered_at: string;
};

const insert = query<{ offered_at: string }>(`
  insert into offers (line_id, account, bank_transfer_id, account_number, amount)
  select id, account, $2, $3, $4 from lines where id = $1 returning offered_at`);
/** Under the lock of the account. Returns when it was made. */
export async function storeOffer(tx: Session, offer: Omit<Offer, "offered_at">): Promise<string> {
  const { line, bank_transfer_id, account_number, amount } = offer;
  const [row] = await insert(tx, [line, bank_transfer_id, account_number, amount]);
  if (!row) throw new Error("a locked line is gone");
  return row.offered_at;
}

const read = query<Omit<Offer, "line">>(
  "select bank_transfer_id, account_number, amount, offered_at from offers where line_id = $1",
);
export async function readOffer(tx: Session, line: string): Promise<Omit<Offer, "line"> | undefined> {
  const [row] = await read(tx, [line]);
  return row;
}

type Place = { at: string; key: string };
const list = query<
  Pick<Offer, "line" | "bank_transfer_id" | "offered_at"> & { bank: string; session_id: string | null }
>(`
  select line_id::text as line, bank_accounts.bank, session_id, bank_transfer_id, offered_at
  from offers join lines on lines.id = line_id join bank_accounts on bank_accounts.number = offers.account
  where (offered_at, line_id) > ($1::timestamptz, $2::bigint) order by offered_at, line_id limit $3`);
/** A page of all offers. There are as many as acts of operators. */
export async function listOffers(pool: Session, { after, limit }: { after: Place | null; limit: number }) {
  const rows = await list(pool, [after?.at ?? "-infinity", after?.key ?? "0", limit]);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { rows, next: last ? { at: last.offered_at, key: last.line } : null };
}

const remove = query("delete from offers where line_id = $1 and bank_transfer_id = $2 and offered_at = $3");
/** This one, and none that was made since. */
export const deleteOffer = (tx: Session, offer: Pick<Offer, "line" | "bank_transfer_id" | "offered_at">) =>
  remove(tx, [offer.line, offer.bank_transfer_id, offer.offered_at]);

const BACK_DAYS = 31;
/** Movements of the line's bank: one around the end of an account may be of the one before or after it. */
const OF_BANK = `
  join bank_accounts as own on own.number = lines.account
  join bank_accounts as known on known.bank = own.bank join movements on movements.account = known.number`;
type Reported = { key: string; is_free: boolean };
const known = query<Reported>(`
  select key, movements.match_id is null and movements.amount = lines.amount and movements.account = lines.account as is_free
  from lines ${OF_BANK} where lines.id = $1 and movements.booked_on >= lines.booked_on - ${BACK_DAYS} and movements.refs @> array[$2::text]
  order by is_free desc, key limit 1`);
/** A transfer that was reported under this id, and whether it can be the line's: in no match, and of the same amount. */
export async function readReported(tx: Session, line: string, id: string): Promise<Reported | undefined> {
  const [row] = await known(tx, [line, id]);
  return row;
}

const ofSession = query<{ key: string }>(`
  select key from lines ${OF_BANK} where lines.id = $1
    and movements.session_id = lines.session_id and movements.amount > 0 and not movements.refs @> array[$2::text] order by key limit 1`);
/** A transfer of the line's session that was reported under another id. */
export async function readSameSession(tx: Session, line: string, id: string): Promise<string | undefined> {
  const [row] = await ofSession(tx, [line, id]);
  return row?.key;
}
