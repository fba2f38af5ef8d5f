import { columns, type Session, statement } from "@collect/database";
import { type Money, meantBefore, type Tolerance } from "../domain/matching.ts";

/**
 * Open sessions of one customer that are looked at for one payment, newest first: more than the newest, because another payment of
 * the batch may have closed that.
 */
const OPEN_MAX = 200;
/** Underpaid sessions of one customer that miss one and the same amount. */
const MISSING_MAX = 20;

/**
 * Of the sessions with exactly this amount on this account only the newest that was there when it was paid can be meant: the
 * slot of one begins a pause after that of the one before ends. On a customer's own account also those that miss exactly
 * this amount, however old, and any that is open.
 */
const find = statement<{ intakeId: string; reference: string }>(`
  select m.intake_id as "intakeId", s.reference
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[], $7::timestamptz[], $8::boolean[])
    as m (intake_id, merchant_id, mode, account_number, amount, received_at, meant_before, is_customers)
  cross join lateral (
    (select reference, merchant_id, watch_until from sessions
      where mode = m.mode and account_number = m.account_number and amount = m.amount and created_at <= m.meant_before
      order by created_at desc limit 1)
    union all
    (select reference, merchant_id, watch_until from sessions
      where m.is_customers and is_customer_account and status = 'underpaid'
        and mode = m.mode and account_number = m.account_number and amount - amount_received = m.amount
        and created_at <= m.meant_before and watch_until > m.received_at
      order by created_at desc limit ${MISSING_MAX})
    union all
    (select reference, merchant_id, watch_until from sessions
      where m.is_customers and is_customer_account and status in ('pending', 'processing', 'underpaid')
        and mode = m.mode and account_number = m.account_number and created_at <= m.meant_before
        and watch_until > m.received_at
      order by created_at desc limit ${OPEN_MAX})
  ) s
  where s.merchant_id = m.merchant_id and s.watch_until > m.received_at`);

/** References of the sessions that may be meant, by intake id. Money that can be for none is left out: mostly all of it. */
export async function findCandidates(
  tx: Session,
  money: Money[],
  tolerance: Tolerance,
): Promise<Map<string, string[]>> {
  const merchants = money.map(({ merchant }) => merchant);
  const rows = await find(tx, [
    ...columns(money, "intakeId"),
    ...columns(merchants, "id", "mode"),
    ...columns(money, "accountNumber", "amount", "receivedAt"),
    money.map((one) => meantBefore(one, tolerance)),
    money.map(({ customer }) => customer !== null),
  ]);
  const byIntake = Map.groupBy(rows, ({ intakeId }) => intakeId);
  return new Map([...byIntake].map(([intakeId, found]) => [intakeId, found.map(({ reference }) => reference)]));
}
