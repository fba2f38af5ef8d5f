import type { Fact, transferReversed } from "@collect/contracts";
import { columns, type Pool, type Session, statement } from "@collect/database";

/** Reversals, driven again for a service that was restored, and restored from payments. */

type Place = { at: string; key: string };
type Row = {
  intake_id: string;
  credit_id: string;
  received_at: string;
  merchant_id: string | null;
  mode: "live" | "test";
  allocated: boolean;
};

const redrive = statement<Row>(`
  with page as materialized (
    select r.reversal_id from inbound_reversals r join inbound_transfers t on t.intake_id = r.credit_id
    where r.admitted_at is not null and r.closed_at is null and greatest(r.received_at, r.admitted_at, r.completed_at) >= $1
      and (r.received_at, r.reversal_id) > ($2::timestamptz, $3) and t.completed_at is not null
    order by r.received_at, r.reversal_id limit $4
  )
  update inbound_reversals r set completed_at = null, drives = 0, drive_at = now()
  from page where r.reversal_id = page.reversal_id
  returning r.reversal_id as intake_id, r.credit_id, r.received_at, r.merchant_id, r.mode, r.allocated_at is not null as allocated`);

/**
 * Makes them due once more, in the order of receipt. A repeat changes nothing: what is stored is stored once. Those of a credit that
 * was allocated and is on its way again are left out: they follow it, and it may wait for the service that recovers. So are closed ones: a
 * ledger that lost what they contradict would book them.
 */
export async function redriveReversals(
  pool: Pool,
  { since, after, limit }: { since: string; after: Place | null; limit: number },
) {
  const found = await redrive(pool, [since, after?.at ?? "0001-01-01T00:00:00+00:00", after?.key ?? "", limit]);
  const rows = found
    .toSorted((a, b) => Date.parse(a.received_at) - Date.parse(b.received_at) || (a.intake_id < b.intake_id ? -1 : 1))
    .map(({ merchant_id, mode, ...row }) => ({
      ...row,
      merchant: merchant_id === null ? null : { id: merchant_id, mode },
    }));
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { rows, next: last ? { at: last.received_at, key: last.intake_id } : null };
}

type Reversed = Fact<typeof transferReversed>;

/**
 * As they were received, admitted anew, and due: driving them completes them. One that was complete in suspense is not, now that it has an owner; nor
 * is one that was closed: what payments has is booked. How
 * much of each credit is taken back follows from its parts.
 */
const restore = statement(`
  insert into inbound_reversals as r (reversal_id, credit_id, bank, mode, bank_transfer_id, account_number, amount, bank_fee, bank_vat,
    session_id, settlement_id, reversed_at, received_at, admitted_at, reversed_before, merchant_id, allocated_at, drive_at)
  select reversal_id, credit_id, bank, mode, bank_transfer_id, account_number, amount, coalesce(bank_fee, 0), coalesce(bank_vat, 0),
    session_id, settlement_id, reversed_at, received_at, clock_timestamp(), reversed_before, merchant_id, case when allocated then now() end, now()
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[],
    $10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[], $14::bigint[], $15::text[], $16::boolean[])
    as i (reversal_id, credit_id, bank, mode, bank_transfer_id, account_number, amount, bank_fee, bank_vat, session_id, settlement_id,
      reversed_at, received_at, reversed_before, merchant_id, allocated)
  on conflict (bank, mode, bank_transfer_id) do update set admitted_at = coalesce(r.admitted_at, excluded.admitted_at),
    reversed_before = coalesce(r.reversed_before, excluded.reversed_before),
    account_number = coalesce(nullif(r.account_number, ''), excluded.account_number), merchant_id = excluded.merchant_id,
    allocated_at = excluded.allocated_at, completed_at = null, closed_at = null, closed_reason = null, drives = 0, drive_at = now()
    where r.merchant_id is null and r.refused is null`);

const takeAgain = statement(`
  update inbound_transfers t set reversed = greatest(t.reversed, parts.upto)
  from (
    select credit_id, max(reversed_before + amount) as upto from inbound_reversals
    where credit_id = any($1::text[]) and admitted_at is not null group by credit_id
  ) as parts
  where t.intake_id = parts.credit_id and t.reversed < parts.upto`);

export async function restoreReversals(session: Session, reversals: Reversed[]): Promise<void> {
  if (reversals.length === 0) return;
  const rows = reversals.map(({ source, merchant, ...reversal }) => ({
    ...{ ...reversal, ...source, merchantId: merchant.id, mode: merchant.mode },
  }));
  await restore(session, [
    ...columns(
      rows,
      "intakeId",
      "creditId",
      "bank",
      "mode",
      "bankTransferId",
      "accountNumber",
      "amount",
      "bankFee",
      "bankVat",
    ),
    ...columns(
      rows,
      "sessionId",
      "settlementId",
      "reversedAt",
      "receivedAt",
      "reversedBefore",
      "merchantId",
      "allocated",
    ),
  ]);
  await restoreReversed(
    session,
    rows.map(({ creditId }) => creditId),
  );
}

/** How much of these credits was taken back: a credit may be restored after its reversals. */
export const restoreReversed = (session: Session, creditIds: string[]) => takeAgain(session, [creditIds]);

const follow = statement(`
  update inbound_reversals r set merchant_id = t.merchant_id, allocated_at = now(), completed_at = null, drives = 0, drive_at = now()
  from inbound_transfers t
  where t.intake_id = r.credit_id and t.intake_id = any($1::text[]) and t.allocated_at is not null and t.merchant_id is not null
    and r.merchant_id is null and r.admitted_at is not null and r.closed_at is null`);

/**
 * What was taken out of suspense of credits that are allocated again is taken back from their owners, as when they were allocated: the
 * fact of it may have been lost with the allocation.
 */
export const followCredits = (session: Session, creditIds: string[]) => follow(session, [creditIds]);

const missing = statement<{ reversal_id: string }>(`
  select unnest($1::text[]) as reversal_id
  except select reversal_id from inbound_reversals where reversal_id = any($1::text[]) and merchant_id is not null`);
/** Those that have no row, or no owner, here. */
export const missingReversals = async (session: Session, reversalIds: string[]): Promise<string[]> =>
  (await missing(session, [reversalIds])).map(({ reversal_id }) => reversal_id);
