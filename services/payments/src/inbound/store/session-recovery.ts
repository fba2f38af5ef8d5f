import type { SessionSnapshot } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";

export type KnownCopy = SessionSnapshot & { kept: NonNullable<SessionSnapshot["kept"]> };

/**
 * Brings sessions that exist here in an older version up to their copies: payer details, sent_at, expiry, and the account
 * of one that had none. Amounts received stay. Runs before the inserts: a unique key that one of these sessions has released may be that of a lost
 * one.
 */
const update = statement(`
  update sessions s set version = c.version, payer_name = c.payer_name, payer_email = c.payer_email,
    details_required = c.details_required, sent_at = c.sent_at, expires_at = greatest(s.expires_at, c.expires_at),
    watch_until = c.watch_until, 
    (amount, account_number, account_name, bank_name, quoted_at) = (select
      case when s.account_number is null then c.amount else s.amount end, coalesce(s.account_number, c.account_number),
      coalesce(s.account_name, c.account_name), coalesce(s.bank_name, c.bank_name),
      case when s.account_number is null then c.quoted_at else s.quoted_at end),
    status = case when s.status not in ('pending', 'processing') then s.status when c.status = 'expired' then 'expired'
      when c.sent_at is null then 'pending' else 'processing' end
  from unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::timestamptz[],
      $8::timestamptz[], $9::timestamptz[], $10::bigint[], $11::text[], $12::text[], $13::text[], $14::timestamptz[])
    as c (reference, version, status, payer_name, payer_email, details_required, sent_at, expires_at, watch_until, amount,
      account_number, account_name, bank_name, quoted_at)
  where s.reference = c.reference and s.version < c.version`);

/** Inserts the lost sessions without any collections: those are re-driven. */
const insert = statement(`
  insert into sessions (reference, version, merchant_id, mode, merchant_name, opened_by, amount, amount_requested,
    account_number, account_name, bank_name, description, redirect_url, details_required, created_at, expires_at, watch_until,
    merchant_reference, customer_reference, customer_name, payer_name, payer_email, sent_at, payment_link, link_key, quoted_at, client_nonce,
    status, metadata, is_customer_account, slot_held)
  select reference, version, merchant_id, mode, merchant_name, opened_by, amount, amount_requested, account_number,
    account_name, bank_name, description, redirect_url, details_required, created_at, expires_at, watch_until,
    merchant_reference, customer_reference, customer_name, payer_name, payer_email, sent_at, payment_link, link_key, quoted_at, client_nonce,
    case when status = 'expired' then 'expired' when sent_at is null then 'pending' else 'processing' end,
    metadata, customer_reference is not null, false
  from unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
      $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::boolean[], $15::timestamptz[], $16::timestamptz[],
      $17::timestamptz[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::timestamptz[], $24::text[],
      $25::text[], $26::timestamptz[], $27::text[], $28::text[], $29::jsonb[])
    as c (reference, version, merchant_id, mode, merchant_name, opened_by, amount, amount_requested, account_number,
      account_name, bank_name, description, redirect_url, details_required, created_at, expires_at, watch_until,
      merchant_reference, customer_reference, customer_name, payer_name, payer_email, sent_at, payment_link, link_key, quoted_at, client_nonce,
      status, metadata)
  order by reference
  on conflict do nothing`);

/**
 * The newest session of each slot takes it, unless it is taken; the expiry worker releases those whose watch window is
 * over.
 */
const takeSlots = statement(`
  update sessions s set slot_held = true
  from (
    select distinct on (account_number, mode, amount) reference from sessions
    where reference = any($1::text[]) and account_number is not null
    order by account_number, mode, amount, coalesce(quoted_at, created_at) desc
  ) newest
  where s.reference = newest.reference and not s.slot_held and not exists (
    select from sessions other where other.slot_held and other.account_number = s.account_number
      and other.mode = s.mode and other.amount = s.amount)`);

const missing = statement<{ reference: string }>(`
  select reference from unnest($1::text[]) as c (reference)
  where not exists (select from sessions where sessions.reference = c.reference)`);

/**
 * Restores sessions from their copies. Nothing is published: the copies are already current. Returns the references of
 * the sessions that conflict with rows here and could not be stored.
 */
export async function restoreSessions(pool: Pool, copies: KnownCopy[]): Promise<string[]> {
  if (copies.length === 0) return [];
  const rows = copies.map(rowOf);
  const changed = columns(rows, "payerName", "payerEmail", "detailsRequired", "sentAt", "expiresAt", "watchUntil");
  const quote = columns(rows, "amount", "accountNumber", "accountName", "bankName", "quotedAt");
  await update(pool, [...columns(rows, "reference", "version", "status"), ...changed, ...quote]);
  await insert(pool, [
    ...columns(rows, "reference", "version", "merchantId", "mode", "merchantName", "openedBy", "amount"),
    ...columns(rows, "amountRequested", "accountNumber", "accountName", "bankName", "description", "redirectUrl"),
    ...columns(rows, "detailsRequired", "createdAt", "expiresAt", "watchUntil", "merchantReference"),
    ...columns(
      rows,
      "customerReference",
      "customerName",
      "payerName",
      "payerEmail",
      "sentAt",
      "paymentLink",
      "linkKey",
    ),
    ...columns(rows, "quotedAt", "clientNonce", "status", "metadata"),
  ]);
  const references = columns(rows, "reference");
  await takeSlots(pool, references);
  return (await missing(pool, references)).map(({ reference }) => reference);
}

function rowOf({ merchant, kept, hasAccount = true, ...copy }: KnownCopy) {
  const { quotedAt = null, clientNonce = null, metadata = {} } = kept;
  const { accountNumber, accountName, bankName } = copy;
  return {
    ...{ ...copy, ...kept, quotedAt, clientNonce, merchantId: merchant.id, mode: merchant.mode },
    metadata: JSON.stringify(metadata),
    ...(hasAccount
      ? { accountNumber, accountName, bankName }
      : { accountNumber: null, accountName: null, bankName: null }),
  };
}
