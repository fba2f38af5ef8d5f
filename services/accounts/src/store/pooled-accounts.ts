import { type Session, statement } from "@collect/database";

/**
 * Accounts of partners that open them without an idempotency key: opening → free → given, or set aside, which is never given
 * out. A row is committed before the partner is called; where the answer is lost it stays `opening`.
 */
export type PooledAccount = { id: string; account_number: string; bank_name: string };

/** The most openings without an answer at one partner: beyond, it opens no more until an operator has settled them. */
export const UNANSWERED_MAX = 20;

/** Of an opening that opened nothing it starts with this, and the next one takes its place: however often it fails, it is one row. */
const NOT_OPENED = "not opened: ";

const begin = statement<{ id: string }>(`
  with again as (
    update pooled_accounts set state = 'opening', reason = null, created_at = clock_timestamp(), changed_at = clock_timestamp()
    where id = (
      select id from pooled_accounts where partner = $2 and state = 'set_aside' and starts_with(reason, '${NOT_OPENED}')
      order by created_at desc limit 1 for update skip locked)
    returning id
  ), first as (
    insert into pooled_accounts (id, partner)
    select $1, $2 where not exists (select from again) and (
      select count(*) from (select from pooled_accounts where partner = $2 and state = 'opening' limit ${UNANSWERED_MAX}) as open
    ) < ${UNANSWERED_MAX}
    returning id
  )
  select id from again union all select id from first`);

/** Commits that an account is about to be opened, and returns the id of the opening. Undefined if too many have no answer. */
export const beginOpening = async (
  tx: Session,
  opening: { id: string; partner: string },
): Promise<string | undefined> => (await begin(tx, [opening.id, opening.partner]))[0]?.id;

/** Stores that the bank opened nothing, and why. */
export const failOpening = (tx: Session, id: string, reason: string): Promise<void> =>
  setAside(tx, id, NOT_OPENED + reason);

/** Whether a number, of a live account `p`, belongs to a customer or a merchant; another bank can have the same digits. */
const IS_TAKEN = `(
  exists (select from customer_accounts a where a.mode = 'live' and a.account_number = $NUMBER)
  or exists (select from collection_accounts a where a.mode = 'live' and a.account_number = $NUMBER))`;
const isTaken = (number: string) => IS_TAKEN.replaceAll("$NUMBER", number);

const finish = statement<{ state: "free" | "set_aside" }>(`
  update pooled_accounts p set account_number = $2, bank_name = $3, changed_at = clock_timestamp(),
    state = case when ${isTaken("$2")} then 'set_aside' else 'free' end,
    reason = case when ${isTaken("$2")} then 'the number belongs to another account' end
  where id = $1 and state = 'opening'
    and not exists (select from pooled_accounts other where other.partner = p.partner and other.account_number = $2)
  returning state`);

/** Stores the number of an opened account, once. Undefined if that is done, or the number is another pooled account's. */
export async function finishOpening(
  tx: Session,
  { id, accountNumber, bankName }: { id: string; accountNumber: string; bankName: string },
): Promise<"free" | "set_aside" | undefined> {
  const [finished] = await finish(tx, [id, accountNumber, bankName]);
  return finished?.state;
}

/**
 * The account of this owner: the one that it has, or else a free one. One statement, so that a crash leaves either; of two calls
 * at once for one owner the second violates the key of owners, and is to be repeated.
 */
const claim = statement<PooledAccount>(`
  with own as materialized (
    select id, account_number, bank_name from pooled_accounts where partner = $1 and account_id = $2
  ), claimed as (
    update pooled_accounts set state = 'given', account_id = $2, changed_at = clock_timestamp()
    where id = (
      select p.id from pooled_accounts p
      where p.partner = $1 and p.state = 'free' and not exists (select from own) and not ${isTaken("p.account_number")}
      order by p.created_at limit 1 for update skip locked)
    returning id, account_number, bank_name
  )
  select * from own union all select * from claimed`);

/** Undefined if the pool is empty. */
export async function claimPooled(
  tx: Session,
  { partner, accountId }: { partner: string; accountId: string },
): Promise<PooledAccount | undefined> {
  const [claimed] = await claim(tx, [partner, accountId]);
  return claimed;
}

const setOneAside = statement(`
  update pooled_accounts set state = 'set_aside', account_id = null, reason = $2, changed_at = clock_timestamp()
  where id = $1 and state in ('opening', 'given')`);
export async function setAside(tx: Session, id: string, reason: string): Promise<void> {
  await setOneAside(tx, [id, reason]);
}

const setFreeAside = statement(`
  update pooled_accounts set state = 'set_aside', reason = 'free in a restored database', changed_at = clock_timestamp()
  where state = 'free'`);
/** After a restore: any of them may have been given to a customer in the time that was lost. */
export async function setFreePooledAside(tx: Session): Promise<void> {
  await setFreeAside(tx);
}
