import { reversalIdOf } from "@collect/contracts";
import { query, type Session } from "@collect/database";

export type Offer = {
  line: string;
  bank_transfer_id: string;
  account_number: string;
  amount: bigint;
  offered_at: string;
  /**
   * It is no transfer: an incoming line is the return of a payout, which has this id; an outgoing one is what the bank took back of a
   * transfer, and accounts has the reversal under this id.
   */
  is_return: boolean;
};

const insert = query<{ offered_at: string }>(`
  insert into offers (line_id, account, bank_transfer_id, account_number, amount, is_return)
  select id, account, $2, $3, $4, $5 from lines where id = $1 returning offered_at`);
/** Under the lock of the account. Returns when it was made. */
export async function storeOffer(tx: Session, offer: Omit<Offer, "offered_at">): Promise<string> {
  const { line, bank_transfer_id, account_number, amount, is_return } = offer;
  const [row] = await insert(tx, [line, bank_transfer_id, account_number, amount, is_return]);
  if (!row) throw new Error("a locked line is gone");
  return row.offered_at;
}

const read = query<Omit<Offer, "line">>(
  "select bank_transfer_id, account_number, amount, offered_at, is_return from offers where line_id = $1",
);
export async function readOffer(tx: Session, line: string): Promise<Omit<Offer, "line"> | undefined> {
  const [row] = await read(tx, [line]);
  return row;
}

const offered = query<{ line: string }>(
  "select line_id::text as line from offers where line_id = any($1::bigint[]) order by line_id limit 5",
);
/** Those of these lines that are offered or claimed: a few. */
export const offeredOf = async (tx: Session, lines: bigint[]): Promise<string[]> =>
  (await offered(tx, [lines])).map(({ line }) => line);

const OFFERED_MAX = 100;
type Offered = Offer & { narration: string; is_matched: boolean; is_reversal: boolean };
const ofDay = query<Offered>(`
  select lines.id::text as line, narration, match_id is not null as is_matched, bank_transfer_id, account_number, offers.amount, offered_at, is_return,
    is_return and lines.amount < 0 as is_reversal
  from lines join offers on line_id = lines.id where booked_on = $1 order by lines.id limit ${OFFERED_MAX}`);
/** The lines of a day that are offered: as many as acts of operators. */
export const offersOfDay = (tx: Session, day: string) => ofDay(tx, [day]);

type Place = { at: string; key: string };
const list = query<Omit<Offer, "account_number" | "is_return"> & { bank: string; session_id: string | null }>(`
  select line_id::text as line, bank_accounts.bank, session_id, bank_transfer_id, offers.amount, offered_at
  from offers join lines on lines.id = line_id join bank_accounts on bank_accounts.number = offers.account
  where not is_return and (offered_at, line_id) > ($1::timestamptz, $2::bigint) order by offered_at, line_id limit $3`);
/** A page of all offers of transfers. There are as many as acts of operators. */
export async function listOffers(pool: Session, { after, limit }: { after: Place | null; limit: number }) {
  const rows = await list(pool, [after?.at ?? "-infinity", after?.key ?? "0", limit]);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { rows, next: last ? { at: last.offered_at, key: last.line } : null };
}

const remove = query("delete from offers where line_id = $1 and bank_transfer_id = $2 and offered_at = $3");
/** This one, and none that was made since. */
export const deleteOffer = (tx: Session, offer: Pick<Offer, "line" | "bank_transfer_id" | "offered_at">) =>
  remove(tx, [offer.line, offer.bank_transfer_id, offer.offered_at]);

const matchedAs = query<{ is_matched: boolean }>(`
  select exists (
    select from lines join movements using (match_id) where lines.id = $1 and movements.refs @> array[$2::text]
  ) as is_matched`);
/** Whether the line is matched with the transfer that has this id. */
export async function isMatchedAs(tx: Session, line: string, id: string): Promise<boolean> {
  const [row] = await matchedAs(tx, [line, id]);
  return row?.is_matched ?? false;
}

/** How far before a line the movements are looked at that may be it. */
export const BACK_DAYS = 31;
/** Movements of the line's bank: one around the end of an account may be of the one before or after it. */
export const OF_BANK = `
  join bank_accounts as own on own.number = lines.account
  join bank_accounts as known on known.bank = own.bank join movements on movements.account = known.number`;
type Reported = { key: string; is_free: boolean };
const REPORTED = `
  select key, movements.match_id is null and movements.amount = lines.amount and movements.account = lines.account as is_free
  from lines ${OF_BANK} where lines.id = $1`;
/** No index has the references: of all times it is found by its key. */
const known = query<Reported>(`
  ${REPORTED} and movements.booked_on >= lines.booked_on - ${BACK_DAYS} and movements.refs @> array[$2::text]
  union ${REPORTED} and movements.key = $3
  order by is_free desc, key limit 1`);
type Reporting = { bank_transfer_id: string; intake_id?: string | undefined };
/** A transfer that was reported under this id, and whether it can be the line's: in no match, and of the same amount. */
export async function readReported(tx: Session, line: string, given: Reporting): Promise<Reported | undefined> {
  const [row] = await known(tx, [line, given.bank_transfer_id, given.intake_id ?? null]);
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

/**
 * What was taken back, and has no line yet: of the transfer that the line is claimed for, or what may be the line's by its amount. One that another
 * line is claimed for is that line's.
 */
const bookedReversal = query<{ key: string }>(`
  select key from movements where key = any($2::text[]) and match_id is null and not refs @> array[$3::text]
    and not exists (select from offers where is_return and bank_transfer_id = any(movements.refs))
  union select key from movements join lines using (account)
  where lines.id = $1 and movements.match_id is null and movements.amount = lines.amount
    and movements.occurred_on >= lines.booked_on - ${BACK_DAYS} and key like 'int_%' and not movements.refs @> array[$3::text]
    and not exists (select from offers where is_return and bank_transfer_id = any(movements.refs))
  order by key limit 1`);
type Taking = { line: string; reversals: string[] };
/** A reversal that our books have and whose line is to be found before another one of this transfer is booked. */
export const readBookedReversal = async (tx: Session, { line, reversals }: Taking): Promise<string | undefined> =>
  (await bookedReversal(tx, [line, reversals, reversalIdOf(line)]))[0]?.key;
