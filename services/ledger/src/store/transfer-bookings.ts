import type { TransferBookings } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";

const PAGE = 500;

/** Each reserve with its end, and the kinds of its transactions that match its merchant, mode and amount. */
const BOOKINGS = `
  select r.transfer_id, r.merchant_id, r.mode, r.amount, r.reserved, r.approval_required,
    (select first_end from transfer_ends as e where e.transfer_id = r.transfer_id) as first_end,
    array(
      select t.kind from unnest(array['reserve', 'payout', 'return', 'reversal', 'late_payout', 'late_reversal']) as k (kind)
      join transactions as t on t.key = r.transfer_id || ':' || k.kind
      where (t.kind, t.merchant_id, t.mode, t.amount) = (k.kind, r.merchant_id, r.mode, r.amount)
    ) as bookings
  from`;

const read = statement<TransferBookings>(
  `${BOOKINGS} (select * from transfer_reserves where transfer_id = any($1::text[])) as r`,
);
const page = statement<TransferBookings>(
  `${BOOKINGS} (select * from transfer_reserves where transfer_id > $1 order by transfer_id limit ${PAGE}) as r order by transfer_id`,
);

/** The ledger's bookings of outbound transfers, for payments to compare with its own records. */
export const readBookings = (pool: Pool, transferIds: string[]) => read(pool, [transferIds]);
export const pageOfBookings = (pool: Pool, after: string) => page(pool, [after]);
