import type { Mode } from "@collect/contracts";
import { digestOf, type Pool, receivedRows, statement } from "@collect/database";

/**
 * What the ledger holds of what was received, read from the entries and not from what the transaction says of itself: the
 * merchant is whose Collected was credited. (A fee of all of it leaves no such entry.) Money that stood in suspense is
 * counted there and, once it is allocated, as a collection of the same minute too.
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

/** Transactions that one look at what was posted reads, and what is too young to say that none with a lower id follows. */
const POSTED_MAX = 20_000;
const SETTLING = "interval '10 seconds'";
/** What is posted so soon after it was received is there when its time is compared. */
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
 * The minutes of receipt of what was posted after this position and not soon after it was received, and from where to go on;
 * null asks for the present one.
 */
export async function postedMinutes(
  pool: Pool,
  after: string | null,
): Promise<{ minutes: string[]; position: string }> {
  if (after === null) return { minutes: [], position: (await last(pool))[0]?.position ?? "0" };
  const [row] = await posted(pool, [after]);
  return { minutes: row?.minutes ?? [], position: row?.position ?? after };
}
