import { query, type Session } from "@collect/database";
import { BACK_DAYS, OF_BANK } from "./offers.ts";

/** Lines that are claimed as the return of a payout: offers of them under its id. There are as many as acts of operators. */
type Claim = { line: string; reference: string };

const remove = query("delete from offers where line_id = $1 and bank_transfer_id = $2 and is_return");
export const deleteReturn = (tx: Session, { line, reference }: Claim) => remove(tx, [line, reference]);

const claimOf = query<{ line: string }>(
  "select line_id::text as line from offers where is_return and bank_transfer_id = $1",
);
export const lineOfReturn = async (tx: Session, reference: string): Promise<string | undefined> =>
  (await claimOf(tx, [reference]))[0]?.line;

const isBooked = query<{ is_booked: boolean }>(`
  select exists (
    select from lines join movements on key = $2 || ':reversed'
    where lines.id = $1 and coalesce(lines.match_id = movements.match_id, lines.match_id is null)
  ) as is_booked`);
/** Whether our books have the return of this payout, and the line is matched with nothing else. */
export async function isReturnBooked(tx: Session, { line, reference }: Claim): Promise<boolean> {
  const [row] = await isBooked(tx, [line, reference]);
  return row?.is_booked ?? false;
}

const ofSession = query<{ key: string }>(`
  select key from lines ${OF_BANK} where lines.id = $1 and movements.session_id = lines.session_id and movements.amount > 0
    and starts_with(key, 'int_') and not exists (select from movements as payout where payout.key = $2 and payout.session_id = lines.session_id)
  order by key limit 1`);
/** A customer's transfer with the line's session, unless the payout has it, too: it went to one of our customers then. */
export const creditOfSession = async (tx: Session, { line, reference }: Claim): Promise<string | undefined> =>
  (await ofSession(tx, [line, reference]))[0]?.key;

const elsewhere = query<{ account: string }>(`
  select movements.account from lines join bank_accounts as of_line on of_line.number = lines.account
  join movements on key = $2 join bank_accounts as known on known.number = movements.account
  where lines.id = $1 and known.bank <> of_line.bank and (movements.match_id is not null or not is_closed(movements.booked_on))`);
/**
 * The account that the payout left from, if it is at another bank than the line's. At the same one it is the account before or after it. What is in
 * no match on a closed day may have left from another one than our books say, and moves no more.
 */
export const accountElsewhere = async (tx: Session, { line, reference }: Claim): Promise<string | undefined> =>
  (await elsewhere(tx, [line, reference]))[0]?.account;

/**
 * A payout that the bank never had, and that ended as paid all the same before it was found to have failed: no line is it, of all that its
 * account has since its first statement, and so none is its return.
 */
const NEVER_LEFT = `
  select from movements as payout
  where payout.key = left(back.key, -length(':reversed')) and payout.match_id is null
    and payout.occurred_on >= (select min(from_on) from statements where account = payout.account)
    and not exists (
      select from lines as out where out.account = payout.account and out.match_id is null and out.amount = payout.amount)`;
/** Of a payout whose return is booked, and which no line is claimed for: it may be that of any line with its amount. */
const booked = query<{ key: string }>(`
  select key from movements as back join lines using (account)
  where lines.id = $1 and back.match_id is null and not back.is_void and back.amount = lines.amount
    and back.occurred_on >= lines.booked_on - ${BACK_DAYS} and key like '%:reversed'
    and not exists (select from offers where is_return and bank_transfer_id || ':reversed' = key)
    and not exists (${NEVER_LEFT})
  union select key from movements where key = $2 || ':reversed'
  order by key limit 1`);
/** The return of this payout, if our books have it; or another one that may be the line's. */
export const readBookedReturn = async (tx: Session, { line, reference }: Claim): Promise<string | undefined> =>
  (await booked(tx, [line, reference]))[0]?.key;
