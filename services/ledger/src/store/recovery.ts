import { type CountedMinute, type Mode, OutboundOrder } from "@collect/contracts";
import { type Pool, statement, type Transaction, transaction } from "@collect/database";
import type { BookingContext, Outbound, Outcome } from "../domain/transfer.ts";
import { settle } from "./settlements.ts";
import { bookEnd, restoreReserve } from "./transfers.ts";

type Position = { at: string; key: string };
type Row = {
  transfer_id: string;
  merchant_id: string;
  mode: Mode;
  amount: bigint;
  reserved: boolean;
  memo: unknown;
  at: string;
};

const decided = statement<Row>(`
  select transfer_id, merchant_id, mode, amount, reserved, memo,
    to_char(decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as at
  from transfer_reserves where decided_at >= $1 and (decided_at, transfer_id) > ($2::timestamptz, $3)
  order by decided_at, transfer_id limit $4`);

export async function decisionsSince(
  pool: Pool,
  { since, after, limit }: { since: string; after: Position | null; limit: number },
) {
  const rows = await decided(pool, [since, after?.at ?? "0001-01-01T00:00:00+00:00", after?.key ?? "", limit]);
  const last = rows.at(-1);
  return {
    rows: rows.map(({ transfer_id, merchant_id, mode, amount, reserved, memo }) => ({
      ...{ transfer_id, merchant: { id: merchant_id, mode }, amount, reserved },
      order: memo === null ? null : OutboundOrder.parse(memo),
    })),
    next: last && rows.length === limit ? { at: last.at, key: last.transfer_id } : null,
  };
}

const posted = statement<{ intake_id: string; amount: bigint | null }>(`
  select replace(key, ':allocated', '') as intake_id, amount from transactions
  where key = any($1::text[] || array(select id || ':allocated' from unnest($1::text[]) as id))
  union all
  select natural_key, null from dead_letters where natural_key = any($1::text[])`);
/** What is booked of these incoming transfers. A dead letter is counted, too: it is booked once it is retried. */
export const postedOf = (pool: Pool, intakeIds: string[]) => posted(pool, [intakeIds]);

/**
 * Books the lost postings of a transfer that was reserved before the restore: the reserve, and its outcome when it has one.
 * Money that was settled before the restore may be in Collected now; then it is settled again. False when Settled is still
 * too low: it never becomes negative.
 */
export async function restoreBookings(
  pool: Pool,
  transfer: Outbound,
  { outcome, order, context }: { outcome: Outcome | null; order: OutboundOrder; context: BookingContext },
): Promise<boolean> {
  const book = async (tx: Transaction) => {
    const held = await restoreReserve(tx, transfer, { order, ...context });
    if (held && outcome) await bookEnd(tx, transfer, outcome, context);
    return held;
  };
  if (await transaction(pool, book)) return true;
  await transaction(pool, (tx) => settle(tx, { merchant: transfer.merchant, cutOff: null }));
  return transaction(pool, book);
}

const count = statement<CountedMinute>(`
  select mode, case kind when 'suspense' then 'suspense' else 'collection' end as kind,
    date_trunc('minute', received_at, 'UTC') as minute, count(*)::integer as count, sum(amount)::bigint as sum
  from transactions where received_at >= $1 and received_at < $2 group by 1, 2, 3`);

/** Count and sum of the received money for each minute in [from, to). */
export const countMinutes = (pool: Pool, { from, to }: { from: string; to: string }): Promise<CountedMinute[]> =>
  count(pool, [from, to]);
