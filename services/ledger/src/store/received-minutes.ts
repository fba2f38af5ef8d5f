import type { Mode } from "@collect/contracts";
import { digestOf, type Pool, receivedRows, statement } from "@collect/database";

/**
 * The ledger's records of received money, read from the entries and not from the transaction's own columns: the merchant is
 * the one whose Collected was credited. (A fee of 100 % leaves no such entry.) Money in suspense is counted as suspense and,
 * once it is allocated, as a collection of the same minute too.
 */
export const received = receivedRows<Mode>(
  `
  select t.mode, case t.kind when 'suspense' then 'suspense' else 'collection' end as kind, t.received_at, t.intake_id,
    t.merchant_id, t.amount,
    ${digestOf("t.intake_id", "coalesce(booked.merchant_id, case when booked.net = 0 then t.merchant_id end)", "booked.gross")} as intake,
    case when t.kind <> 'suspense' then ${digestOf("t.intake_id", "booked.fee", "booked.net")} end as fee
  from (
    select *, case kind when 'allocation' then left(key, -length(':allocated')) else key end as intake_id
    from transactions where received_at >= $1::timestamptz and received_at < $2::timestamptz
  ) as t
  cross join lateral (
    select string_agg(split_part(account_id, ':', 3), ',') filter (where split_part(account_id, ':', 2) = 'collected') as merchant_id,
      coalesce(-sum(amount) filter (where split_part(account_id, ':', 2) = 'collected'), 0) as net,
      coalesce(-sum(amount) filter (where split_part(account_id, ':', 2) = 'fees'), 0) as fee,
      sum(amount) filter (where amount > 0) as gross
    from entries where transaction_id = t.id
  ) as booked`,
  ["intake", "fee"],
);

/** How many transactions one call reads, and the age below which a transaction with a lower id may still commit. */
const POSTED_MAX = 20_000;
const SETTLING = "interval '10 seconds'";
/** Money posted this soon after its receipt is recorded before its minute is compared. */
const IN_TIME = "interval '3 seconds'";

const posted = statement<{ minutes: string[] | null; position: string | null }>(`
  with posted as materialized (
    select id, posted_at, received_at from transactions where id > $1::bigint order by id limit ${POSTED_MAX}
  )
  select array_agg(distinct to_char(date_trunc('minute', received_at, 'UTC') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'))
      filter (where received_at not between posted_at - ${IN_TIME} and posted_at + ${IN_TIME}) as minutes,
    max(id) filter (where posted_at < now() - ${SETTLING})::text as position
  from posted`);
const last = statement<{ position: string }>("select coalesce(max(id), 0)::text as position from transactions");

/**
 * The minutes of receipt of transactions that were posted after this position and late after their receipt, and the next
 * position; null returns the current position.
 */
export async function postedMinutes(
  pool: Pool,
  after: string | null,
): Promise<{ minutes: string[]; position: string }> {
  if (after === null) return { minutes: [], position: (await last(pool))[0]?.position ?? "0" };
  const [row] = await posted(pool, [after]);
  return { minutes: row?.minutes ?? [], position: row?.position ?? after };
}
