import type { SessionSnapshot } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";

/**
 * Sessions that this database has lost, as they stood before any money: what came for them comes round again. One that is here
 * keeps what it received and learns what its payer said since. A slot that an older session holds here stays with that one,
 * which the lost one must have had it from. Nothing is told of them: their copies are as new as they are.
 */
const learn = statement(`
  insert into sessions as s (reference, version, merchant_id, mode, merchant_name, opened_by, amount, amount_requested,
    account_number, account_name, bank_name, description, redirect_url, details_required, created_at, expires_at, watch_until,
    merchant_reference, customer_reference, customer_name, payer_name, payer_email, sent_at, payment_link, link_key,
    is_customer_account, status, slot_held)
  select c.*, customer_reference is not null, case when sent_at is null then 'pending' else 'processing' end,
    watch_until > now() and not exists (
      select from sessions other where other.slot_held and other.account_number = c.account_number
        and other.mode = c.mode and other.amount = c.amount)
  from unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
      $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::boolean[], $15::timestamptz[], $16::timestamptz[],
      $17::timestamptz[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::timestamptz[], $24::text[],
      $25::text[])
    as c (reference, version, merchant_id, mode, merchant_name, opened_by, amount, amount_requested, account_number,
      account_name, bank_name, description, redirect_url, details_required, created_at, expires_at, watch_until,
      merchant_reference, customer_reference, customer_name, payer_name, payer_email, sent_at, payment_link, link_key)
  order by reference
  on conflict (reference) do update set version = excluded.version, payer_name = excluded.payer_name,
    payer_email = excluded.payer_email, details_required = excluded.details_required, sent_at = excluded.sent_at,
    expires_at = greatest(s.expires_at, excluded.expires_at), watch_until = greatest(s.watch_until, excluded.watch_until),
    status = case when s.status = 'pending' then excluded.status else s.status end
    where s.version < excluded.version`);

export type KnownCopy = SessionSnapshot & { kept: NonNullable<SessionSnapshot["kept"]> };

export async function learnSessions(pool: Pool, copies: KnownCopy[]): Promise<void> {
  if (copies.length === 0) return;
  const rows = copies.map(({ merchant, kept, ...copy }) => ({
    ...{ ...copy, ...kept, merchantId: merchant.id, mode: merchant.mode },
  }));
  await learn(pool, [
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
  ]);
}
