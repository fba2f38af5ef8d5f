import type { MerchantScope } from "@collect/contracts";
import { type Session, statement } from "@collect/database";
import type { PaymentSession } from "../domain/session.ts";
import { hasShare } from "./client-share.ts";
import { freeSlot } from "./free-slot.ts";
import { type LockedSession, SESSION_COLUMNS } from "./sessions.ts";

/** Takes and releases the slots of sessions. A session of a secret key takes its slot when it is created: create-session.ts. */

export type Account = { accountNumber: string; accountName: string; bankName: string };

/** The payer's details, with which a session of a public key takes its slot. */
export type SlotRequest = {
  payerName: string;
  payerEmail: string;
  expiryS: number;
  watchS: number;
  slotPauseS: number;
  start: number;
  /** The client's tag, and how many unpaid slots of a price it may hold. */
  client: string | null;
  shareMax: number;
};

/** The session begins to be payable: from now on its time runs anew. */
const take = statement<PaymentSession & { accounts: string[] | null; has_share: boolean }>(`
  with account as materialized (
    select position, account_number, account_name, bank_name from collection_accounts
    where merchant_id = $2 and mode = $3
  ), share as materialized (
    select ${hasShare({ client: "$11", merchantId: "$2", mode: "$3", amount: "$4::bigint", max: "$12::integer" })} as is_left
  ), free_slot as materialized (${freeSlot({ merchantId: "$2", mode: "$3", amount: "$4::bigint", slotPauseS: "$9::integer", start: "$10::integer" })}
    where (select is_left from share)
    limit 1
  ), taken as (
    update sessions s set amount = s.amount_requested + suffix, account_number = f.account_number,
      account_name = f.account_name, bank_name = f.bank_name, quoted_at = at, slot_held = true,
      expires_at = at + $7::integer * interval '1 second',
      watch_until = at + ($7::integer + $8::integer) * interval '1 second', payer_name = $5, payer_email = $6,
      details_required = false, client = $11, version = s.version + 1
    from free_slot f where s.reference = $1
    returning ${SESSION_COLUMNS}
  )
  select (select array_agg(account_number) from account) as accounts, (select is_left from share) as has_share, taken.*
  from (select) one left join taken on true`);

/**
 * Gives a locked session an account and a free slot on it, with its payer's details. Without a free slot, or a share of them
 * that is left to the client, nothing changes: returns the numbers of the accounts that are full. Throws a unique violation
 * when a concurrent transaction takes the same slot.
 */
export async function takeSlot(
  tx: Session,
  session: LockedSession,
  { payerName, payerEmail, expiryS, watchS, slotPauseS, start, client, shareMax }: SlotRequest,
): Promise<{ session: PaymentSession } | { fullAccounts: string[] } | "share_spent"> {
  const { reference, merchantId, mode, amountRequested } = session;
  const scope = [reference, merchantId, mode, amountRequested];
  const times = [expiryS, watchS, slotPauseS, start];
  const [row] = await take(tx, [...scope, payerName, payerEmail, ...times, client, shareMax]);
  if (!row) throw new Error("taking a slot returned no row");
  const { accounts, has_share: hasShareLeft, ...taken } = row;
  if (!hasShareLeft) return "share_spent";
  return taken.reference === null ? { fullAccounts: accounts ?? [] } : { session: taken };
}

const release = statement<{ reference: string }>(`
  with lapsed as materialized (
    select reference from sessions
    where slot_held and mode = $1 and account_number = any($2::text[]) and amount between $3::bigint + 1 and $3::bigint + 99
      and watch_until <= time_of(merchant_id, mode)
  ), locked as materialized (
    select reference from sessions where reference = any(array(select reference from lapsed)) and slot_held
    order by reference for update
  ), released as (
    update sessions set slot_held = false, client = null where reference = any(array(select reference from locked))
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
  set slot_held = false, client = null, watch_until = least(s.watch_until, time_of(s.merchant_id, s.mode) - $4::integer * interval '1 second'), version = s.version + 1
  where s.reference = (
    select reference from sessions
    where slot_held and mode = $1 and account_number = $2 and amount between $3::bigint + 1 and $3::bigint + 99
      and status in ('paid', 'overpaid', 'expired', 'paid_late')
      and coalesce(paid_at, expires_at) <= time_of(merchant_id, mode) - $4::integer * interval '1 second'
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
