import { type Session, statement } from "@collect/database";
import type { PaymentSession } from "../domain/session.ts";
import { hasShare } from "./client-share.ts";
import { freeSlot } from "./free-slot.ts";
import { SESSION_COLUMNS } from "./sessions.ts";
import type { Account } from "./slots.ts";

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
  | "clientNonce"
  | "amountRequested"
  | "customerReference"
  | "customerName"
  | "payerName"
  | "payerEmail"
  | "detailsRequired"
  | "description"
  | "redirectUrl"
  | "metadata"
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
  /** Whether a new session is allowed; a known one is found either way. */
  mayCreate: boolean;
  /** Of a payer who pays through a link: the client's tag. */
  client: string | null;
  /** How many unpaid slots of a price the client may hold. */
  shareMax: number;
};

/**
 * `known`: the session of the same merchant reference, or of the same call with the same nonce. `no_free_slot`: no
 * account has a free slot, or there is no account. `raced`: a concurrent request took the slot, or created a session
 * with the same merchant reference; the next attempt sees it. `share_spent`: none is left to this client.
 */
export type Attempt =
  | { outcome: "created" | "known"; session: PaymentSession }
  | { outcome: "over_limit"; limit: bigint }
  | { outcome: "not_allowed" }
  | { outcome: "share_spent" }
  | { outcome: "raced" }
  | { outcome: "no_free_slot"; accounts: string[] };

/** One attempt in one statement, which takes a free slot of the merchant's accounts, or of the customer's own. */
const attempt = statement<{ outcome: Attempt["outcome"]; limit: bigint; accounts: string[] | null } & PaymentSession>(`
  with known as (
    select ${SESSION_COLUMNS} from sessions s
    where $6 = 'secret_key' and s.opened_by = 'secret_key'
      and s.merchant_id = $2 and s.mode = $3 and s.merchant_reference = $5
  ), allowed as (
    select least(coalesce((select amount from amount_limits where merchant_id = $2), $13::bigint), $24::bigint) as most
  ), account as materialized (
    select position, account_number, account_name, bank_name from collection_accounts
    where merchant_id = $2 and mode = $3 and $8::text is null
    union all
    select 1, $14, $15, $16 where $14::text is not null
  ), share as materialized (
    select ${hasShare({ client: "$27", merchantId: "$2", mode: "$3", amount: "$7::bigint", max: "$28::integer" })} as is_left
  ), free_slot as materialized (${freeSlot({ mode: "$3", amount: "$7::bigint", slotPauseS: "$25::integer", start: "$19::integer" })}
    where $26::boolean and $7::bigint <= (select most from allowed) and (select is_left from share) and not exists (select from known)
    limit 1
  ), created as (
    insert into sessions as s (reference, merchant_id, mode, merchant_name, merchant_reference, opened_by, amount_requested,
      customer_reference, customer_name, details_required, description, redirect_url, amount, account_number, account_name,
      bank_name, is_customer_account, created_at, expires_at, watch_until, payer_name, payer_email, payment_link, link_key, client, metadata)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $7::bigint + suffix, account_number, account_name,
      bank_name, $8::text is not null, at, at + $17::integer * interval '1 second',
      at + ($17::integer + $18::integer) * interval '1 second', $20, $21, $22, $23, $27, $29
    from free_slot
    on conflict do nothing
    returning ${SESSION_COLUMNS}
  )
  select case when exists (select from known) then 'known' when exists (select from created) then 'created'
      when not $26::boolean then 'not_allowed'
      when $7::bigint > (select most from allowed) then 'over_limit' when not (select is_left from share) then 'share_spent'
      when exists (select from free_slot) then 'raced' else 'no_free_slot' end as outcome,
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
    session.mayCreate,
    session.client,
    session.shareMax,
    session.metadata,
  ]);
  if (!row) throw new Error("an attempt to create a session returned no row");
  const { outcome, limit, accounts, ...created } = row;
  if (outcome === "created" || outcome === "known") return { outcome, session: created };
  if (outcome === "no_free_slot") return { outcome, accounts: accounts ?? [] };
  return outcome === "over_limit" ? { outcome, limit } : { outcome };
}

/**
 * The call of which a repeat with the same nonce is the same session. The nonce is looked up alone: a plan made while the table is
 * small would otherwise read all sessions of the merchant.
 */
const CALL_OF = (reference: string, description: string, redirectUrl: string) =>
  `md5(coalesce(${reference}, '') || chr(10) || coalesce(${description}, '') || chr(10) || coalesce(${redirectUrl}, ''))`;

const attemptPublic = statement<
  { outcome: "created" | "known" | "over_limit" | "not_allowed" | "raced"; limit: bigint } & PaymentSession
>(`
  with of_nonce as materialized (select * from sessions where client_nonce = $9),
  known as (
    select ${SESSION_COLUMNS} from of_nonce s
    where s.merchant_id = $2 and s.mode = $3 and s.amount_requested = $6::bigint
      and s.status <> 'expired'
      and ${CALL_OF("s.merchant_reference", "s.description", "s.redirect_url")} = ${CALL_OF("$5", "$7", "$8")}
    order by s.created_at desc limit 1
  ), allowed as (
    select least(coalesce((select amount from amount_limits where merchant_id = $2), $10::bigint), $11::bigint) as most
  ), created as (
    insert into sessions as s (reference, merchant_id, mode, merchant_name, merchant_reference, opened_by, amount,
      amount_requested, description, redirect_url, client_nonce, details_required, is_customer_account, slot_held,
      created_at, expires_at, watch_until)
    select $1, $2, $3, $4, $5, 'public_key', $6, $6, $7, $8, $9, true, false, false, at, ends, ends
    from (select clock_timestamp() as at) now, lateral (select at + $12::integer * interval '1 second' as ends) expiry
    where $13::boolean and $6::bigint <= (select most from allowed) and not exists (select from known)
    on conflict do nothing
    returning ${SESSION_COLUMNS}
  )
  select case when exists (select from known) then 'known' when exists (select from created) then 'created'
      when not $13::boolean then 'not_allowed'
      when $6::bigint > (select most from allowed) then 'over_limit' else 'raced' end as outcome,
    (select most from allowed) as limit, s.*
  from (select) one left join (select * from known union all select * from created) s on true`);

/**
 * Creates a session of a public key, without an account: slots.ts assigns one with the payer's details. Or finds the
 * session that the same call with the same nonce created, unless that has expired.
 */
export async function tryToCreatePublic(tx: Session, session: NewSession): Promise<Attempt> {
  const { reference, merchantId, mode, merchantName, merchantReference, amountRequested } = session;
  const [row] = await attemptPublic(tx, [
    ...[reference, merchantId, mode, merchantName, merchantReference, amountRequested],
    ...[session.description, session.redirectUrl, session.clientNonce],
    ...[session.amountLimit, session.amountMax, session.expiryS, session.mayCreate],
  ]);
  if (!row) throw new Error("an attempt to create a session returned no row");
  const { outcome, limit, ...created } = row;
  if (outcome === "created" || outcome === "known") return { outcome, session: created };
  return outcome === "over_limit" ? { outcome, limit } : { outcome };
}
