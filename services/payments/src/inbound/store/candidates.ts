import { columns, type Session, statement } from "@collect/database";
import { arrivalOf, candidateCutoff, type InboundTransfer, type Tolerance } from "../domain/matching.ts";

/**
 * The most open sessions of one customer that are considered for one transfer, newest first: more than one, because
 * another transfer of the batch may have closed the newest.
 */
const OPEN_MAX = 200;
/** The most underpaid sessions of one customer that lack the same amount. */
const MISSING_MAX = 20;

/**
 * Of the sessions with exactly this amount on this account only the newest that existed when the transfer was paid is
 * a candidate: a slot is reused only after a pause. On a customer's own account, sessions that lack exactly this
 * amount are candidates too, however old, and so is any open one. An unpaid session of whose money some was taken back
 * takes no more, and would hide an older one.
 */
const find = statement<{ intakeId: string; reference: string }>(`
  select m.intake_id as "intakeId", s.reference
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[], $7::timestamptz[], $8::boolean[])
    as m (intake_id, merchant_id, mode, account_number, amount, received_at, cutoff, is_customers)
  cross join lateral (
    (select reference, merchant_id, watch_until from sessions
      where mode = m.mode and account_number = m.account_number and amount = m.amount and coalesce(quoted_at, created_at) <= m.cutoff
        and (amount_reversed = 0 or status in ('paid', 'overpaid', 'paid_late'))
      order by coalesce(quoted_at, created_at) desc limit 1)
    union all
    (select reference, merchant_id, watch_until from sessions
      where m.is_customers and is_customer_account and status = 'underpaid' and amount_reversed = 0
        and mode = m.mode and account_number = m.account_number and amount - amount_received = m.amount
        and created_at <= m.cutoff and watch_until > m.received_at
      order by created_at desc limit ${MISSING_MAX})
    union all
    (select reference, merchant_id, watch_until from sessions
      where m.is_customers and is_customer_account and status in ('pending', 'processing', 'underpaid') and amount_reversed = 0
        and mode = m.mode and account_number = m.account_number and created_at <= m.cutoff
        and watch_until > m.received_at
      order by created_at desc limit ${OPEN_MAX})
  ) s
  where s.merchant_id = m.merchant_id and s.watch_until > m.received_at`);

/** References of the candidate sessions, by intake id. Transfers without candidates, which are most, are left out. */
export async function findCandidates(
  tx: Session,
  transfers: InboundTransfer[],
  tolerance: Tolerance,
): Promise<Map<string, string[]>> {
  const merchants = transfers.map(({ merchant }) => merchant);
  const rows = await find(tx, [
    ...columns(transfers, "intakeId"),
    ...columns(merchants, "id", "mode"),
    ...columns(transfers, "accountNumber", "amount"),
    transfers.map(arrivalOf),
    transfers.map((transfer) => candidateCutoff(transfer, tolerance)),
    transfers.map(({ customer }) => customer !== null),
  ]);
  const byIntake = Map.groupBy(rows, ({ intakeId }) => intakeId);
  return new Map([...byIntake].map(([intakeId, found]) => [intakeId, found.map(({ reference }) => reference)]));
}
