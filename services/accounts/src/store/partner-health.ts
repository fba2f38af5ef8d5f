import { type Pool, query } from "@collect/database";

/** What the rows say about each partner bank in live mode. A statement reads at most this many of them, by an index. */
const READ_MAX = 20_000;

type Last = { bank: string; paid_at: string; received_at: string };

/** The modes share the index by time: it is read back to the first of live mode of each bank, which is near unless that is quiet. */
const last = query<Last>(`
  select each.bank, paid_at, received_at from unnest($1::text[]) as each (bank) cross join lateral (
    select paid_at, received_at from (
      select bank, mode, paid_at, received_at from inbound_transfers order by received_at desc, intake_id desc limit ${READ_MAX}
    ) as newest where newest.bank = each.bank and mode = 'live' order by received_at desc limit 1
  ) as one`);

/** The last transfer of each of these banks that has one among the newest. */
export const readLastTransfers = (pool: Pool, banks: string[]): Promise<Last[]> => last(pool, [banks]);

type Unfinished = { bank: string; count: number; oldest_received_at: string };

const unfinished = query<Unfinished>(`
  select bank, count(*)::integer as count, min(received_at) as oldest_received_at from (
    select bank, received_at from inbound_transfers where mode = 'live' and completed_at is null limit ${READ_MAX}
  ) as one group by bank`);

export const readUnfinishedOfBanks = (pool: Pool): Promise<Unfinished[]> => unfinished(pool);

type Ordered = {
  partner: string;
  now: string;
  issued: number;
  lastIssuedAt: string | null;
  pending: number;
  oldestPendingAt: string | null;
};

/**
 * Customer accounts ordered in the last day: the counts of new accounts, which are kept for a day, say which merchants made any,
 * and the index of each merchant's accounts gives them. One without a number is awaited from the partner of its merchant.
 */
const ordered = query<Ordered>(`
  select each.partner, now() as now, (count(account_number))::integer as issued,
    max(created_at) filter (where account_number is not null) as "lastIssuedAt",
    (count(*) filter (where created_at is not null and account_number is null))::integer as pending,
    min(created_at) filter (where account_number is null) as "oldestPendingAt"
  from unnest($1::text[]) as each (partner) left join (
    select coalesce(account.partner, case when account.account_number is null then coalesce(choice.partner, $2) else $3 end) as partner,
      account.account_number, account.created_at
    from (
      select distinct merchant_id from (
        select merchant_id from account_creations
        where minute >= floor(extract(epoch from now()) / 60) - 1440 order by minute desc limit ${READ_MAX}
      ) as lately
    ) as made cross join lateral (
      select partner, account_number, created_at from customer_accounts
      where merchant_id = made.merchant_id and mode = 'live' and created_at >= now() - interval '1 day'
    ) as account
    left join partner_choices choice on choice.merchant_id = made.merchant_id and choice.partner = any($1)
    limit ${READ_MAX}
  ) as accounts using (partner)
  group by each.partner`);

/** One row for each of the partners; `own` holds the accounts that are stored without one. */
export const readOrderedAccounts = (
  pool: Pool,
  { partners, standard, own }: { partners: string[]; standard: string; own: string | null },
): Promise<Ordered[]> => ordered(pool, [partners, standard, own]);
