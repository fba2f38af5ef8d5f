import { type Pool, query } from "@collect/database";

/** What the rows say about the partner bank: each statement reads at most this many of them, by an index, newest first. */
const READ_MAX = 20_000;

type Last = { paid_at: string; received_at: string };

/** The modes share the index by time: it is read back to the first of live mode, at most this far. */
const last = query<Last>(`
  select paid_at, received_at from (
    select mode, paid_at, received_at from inbound_transfers order by received_at desc, intake_id desc limit ${READ_MAX}
  ) as newest where mode = 'live' order by received_at desc limit 1`);

export async function readLastTransfer(pool: Pool): Promise<Last | null> {
  const [row] = await last(pool);
  return row ?? null;
}

type Ordered = {
  now: string;
  issued: number;
  lastIssuedAt: string | null;
  pending: number;
  oldestPendingAt: string | null;
};

/**
 * Customer accounts ordered in the last day: the counts of new accounts, which are kept for a day, say which merchants made any,
 * and the index of each merchant's accounts gives them.
 */
const ordered = query<Ordered>(`
  select now() as now, (count(account_number))::integer as issued,
    max(created_at) filter (where account_number is not null) as "lastIssuedAt",
    (count(*) filter (where account_number is null))::integer as pending,
    min(created_at) filter (where account_number is null) as "oldestPendingAt"
  from (
    select account.account_number, account.created_at from (
      select distinct merchant_id from (
        select merchant_id from account_creations
        where minute >= floor(extract(epoch from now()) / 60) - 1440 order by minute desc limit ${READ_MAX}
      ) as lately
    ) as made cross join lateral (
      select account_number, created_at from customer_accounts
      where merchant_id = made.merchant_id and mode = 'live' and created_at >= now() - interval '1 day'
    ) as account limit ${READ_MAX}
  ) as accounts`);

export async function readOrderedAccounts(pool: Pool): Promise<Ordered> {
  const [row] = await ordered(pool);
  if (!row) throw new Error("an aggregate returned no row");
  return row;
}
