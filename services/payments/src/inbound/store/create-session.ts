import type { MerchantScope } from "@collect/contracts";
import { type Session, statement } from "@collect/database";
import type { PaymentSession } from "../domain/session.ts";
import { SESSION_COLUMNS } from "./sessions.ts";

export type Account = { accountNumber: string; accountName: string; bankName: string };

/** A session to be created. Amounts in kobo. */
export type NewSession = Pick<
  PaymentSession,
  | "reference"
  | "merchantId"
  | "mode"
  | "merchantName"
  | "merchantReference"
  | "openedBy"
  | "paymentLink"
  | "amountRequested"
  | "customerReference"
  | "customerName"
  | "payerName"
  | "payerEmail"
  | "detailsRequired"
  | "description"
  | "redirectUrl"
> & {
  /** The idempotency key of a payer who pays through a link. */
  linkKey: string | null;
  /** The customer's own account, once it is known. Without a customer the accounts of the merchant's pool are used. */
  account: Account | undefined;
  /** The default limit of merchants without their own, and the maximum for all merchants. */
  amountLimit: bigint;
  amountMax: bigint;
  expiryS: number;
  watchS: number;
  /** How long an amount stays unused on its account after the watch window of its last session. */
  slotPauseS: number;
  /** Where the search for a free kobo suffix starts: 0 to 98. */
  start: number;
};

/**
 * `known`: the session of the same merchant reference, or of the same call with a public key. `no_free_slot`: no
 * account has a free slot, or there is no account. `raced`: a concurrent request took the slot, or created a session
 * with the same merchant reference; the next attempt sees it.
 */
export type Attempt =
  | { outcome: "created" | "known"; session: PaymentSession }
  | { outcome: "over_limit"; limit: bigint }
  | { outcome: "raced" }
  | { outcome: "no_free_slot"; accounts: string[] };

/**
 * One attempt in one statement. Of the merchant's accounts, in order, the first with a free slot is used. Of its free
 * suffixes one that was never used for this amount is preferred, or else the one that was released the longest ago,
 * and at least one pause ago; ties are broken by a random start. The time is taken after the statement's snapshot, so
 * the new session begins after the sessions that released their slots have ended.
 */
const attempt = statement<{ outcome: Attempt["outcome"]; limit: bigint; accounts: string[] | null } & PaymentSession>(`
  with known as (
    select ${SESSION_COLUMNS} from sessions s
    where $6 = 'secret_key' and s.opened_by = 'secret_key'
      and s.merchant_id = $2 and s.mode = $3 and s.merchant_reference = $5
    union all
    select ${SESSION_COLUMNS} from sessions s
    where $6 = 'public_key' and s.opened_by = 'public_key' and s.status = 'pending' and s.details_required
      and s.merchant_id = $2 and s.mode = $3 and s.merchant_reference = $5 and s.amount_requested = $7::bigint
      and md5(coalesce(s.description, '') || chr(10) || coalesce(s.redirect_url, ''))
        = md5(coalesce($11, '') || chr(10) || coalesce($12, ''))
  ), allowed as (
    select least(coalesce((select amount from amount_limits where merchant_id = $2), $13::bigint), $24::bigint) as most
  ), account as materialized (
    select position, account_number, account_name, bank_name from collection_accounts
    where merchant_id = $2 and mode = $3 and $8::text is null
    union all
    select 1, $14, $15, $16 where $14::text is not null
  ), free_slot as materialized (
    select a.account_number, a.account_name, a.bank_name, free.suffix, clock_timestamp() as at
    from (select * from account order by position) a cross join lateral (
      select suffix from generate_series(1, 99) as suffix
      left join lateral (
        select s.watch_until from sessions s
        where s.mode = $3 and s.account_number = a.account_number and s.amount = $7::bigint + suffix
        order by s.created_at desc limit 1
      ) last on true
      where suffix <> all (array(
        select (s.amount - $7::bigint)::integer from sessions s
        where s.slot_held and s.mode = $3 and s.account_number = a.account_number
          and s.amount between $7::bigint + 1 and $7::bigint + 99))
        and (last.watch_until is null or last.watch_until <= now() - $25::integer * interval '1 second')
      order by last.watch_until nulls first, (suffix + $19::integer) % 99 limit 1
    ) free
    where $7::bigint <= (select most from allowed) and not exists (select from known)
    limit 1
  ), created as (
    insert into sessions as s (reference, merchant_id, mode, merchant_name, merchant_reference, opened_by, amount_requested,
      customer_reference, customer_name, details_required, description, redirect_url, amount, account_number, account_name,
      bank_name, is_customer_account, created_at, expires_at, watch_until, payer_name, payer_email, payment_link, link_key)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $7::bigint + suffix, account_number, account_name,
      bank_name, $8::text is not null, at, at + $17::integer * interval '1 second',
      at + ($17::integer + $18::integer) * interval '1 second', $20, $21, $22, $23
    from free_slot
    on conflict do nothing
    returning ${SESSION_COLUMNS}
  )
  select case when exists (select from known) then 'known' when exists (select from created) then 'created'
      when $7::bigint > (select most from allowed) then 'over_limit' when exists (select from free_slot) then 'raced'
      else 'no_free_slot' end as outcome,
    (select most from allowed) as limit, (select array_agg(account_number) from account) as accounts, s.*
  from (select) one left join (select * from known union all select * from created) s on true`);

export async function tryToCreate(tx: Session, session: NewSession): Promise<Attempt> {
  const [row] = await attempt(tx, [
    session.reference,
    session.merchantId,
    session.mode,
    session.merchantName,
    session.merchantReference,
    session.openedBy,
    session.amountRequested,
    session.customerReference,
    session.customerName,
    session.detailsRequired,
    session.description,
    session.redirectUrl,
    session.amountLimit,
    session.account?.accountNumber,
    session.account?.accountName,
    session.account?.bankName,
    session.expiryS,
    session.watchS,
    session.start,
    session.payerName,
    session.payerEmail,
    session.paymentLink,
    session.linkKey,
    session.amountMax,
    session.slotPauseS,
  ]);
  if (!row) throw new Error("an attempt to create a session returned no row");
  const { outcome, limit, accounts, ...created } = row;
  if (outcome === "created" || outcome === "known") return { outcome, session: created };
  if (outcome === "no_free_slot") return { outcome, accounts: accounts ?? [] };
  return outcome === "over_limit" ? { outcome, limit } : { outcome };
}

const release = statement<{ reference: string }>(`
  with lapsed as materialized (
    select reference from sessions
    where slot_held and mode = $1 and account_number = any($2::text[]) and amount between $3::bigint + 1 and $3::bigint + 99
      and watch_until <= now()
  ), locked as materialized (
    select reference from sessions where reference = any(array(select reference from lapsed)) and slot_held
    order by reference for update
  ), released as (
    update sessions set slot_held = false where reference = any(array(select reference from locked))
  )
  select reference from lapsed`);

type Slots = { mode: string; accounts: string[]; amountRequested: bigint };

/**
 * Releases the slots of this amount whose watch window is over. Returns their number, including those that a
 * concurrent transaction releases: this one waits for it, because those slots are free afterwards too.
 */
export async function releaseSlots(tx: Session, { mode, accounts, amountRequested }: Slots): Promise<number> {
  return (await release(tx, [mode, accounts, amountRequested])).length;
}

const takeOver = statement<PaymentSession>(`
  update sessions s
  set slot_held = false, watch_until = least(s.watch_until, now() - $4::integer * interval '1 second'), version = s.version + 1
  where s.reference = (
    select reference from sessions
    where slot_held and mode = $1 and account_number = $2 and amount between $3::bigint + 1 and $3::bigint + 99
      and status in ('paid', 'overpaid', 'expired', 'paid_late')
      and coalesce(paid_at, expires_at) <= now() - $4::integer * interval '1 second'
    order by created_at, reference limit 1
    for update skip locked)
  returning ${SESSION_COLUMNS}`);

/**
 * Takes over the slot of the oldest session of this amount on a customer's own account that has been closed, paid or
 * expired, for at least the pause. Its watch window is moved to end where the pause began, so the pause is over here
 * too.
 */
export async function takeOverSlot(
  tx: Session,
  slot: { mode: string; accountNumber: string; amountRequested: bigint; slotPauseS: number },
): Promise<PaymentSession | undefined> {
  const [closed] = await takeOver(tx, [slot.mode, slot.accountNumber, slot.amountRequested, slot.slotPauseS]);
  return closed;
}

const addAccount = statement(`
  insert into collection_accounts (merchant_id, mode, position, account_number, account_name, bank_name)
  values ($1, $2, $3, $4, $5, $6) on conflict (merchant_id, mode, position) do nothing`);

export async function addCollectionAccount(
  tx: Session,
  merchant: MerchantScope,
  { position, accountNumber, accountName, bankName }: Account & { position: number },
): Promise<void> {
  await addAccount(tx, [merchant.id, merchant.mode, position, accountNumber, accountName, bankName]);
}
