import { type Pool, type Session, statement } from "@collect/database";

/** The pool of a partner as a whole. */
export type PoolState = { free: number; unanswered: number; set_aside: number };

/** The maximum counted of each state. */
const COUNTED_MAX = 10_000;
/** A call to the partner is over by then. */
const ANSWERED_WITHIN = "interval '2 minutes'";

const state = statement<PoolState>(`
  select count(*) filter (where state = 'free')::integer as free,
    count(*) filter (where state = 'opening')::integer as unanswered,
    count(*) filter (where state = 'set_aside')::integer as set_aside
  from (values ('free'), ('opening'), ('set_aside')) as states (name) cross join lateral (
    select state from pooled_accounts p
    where p.partner = $1 and p.state = states.name and (p.state <> 'opening' or p.created_at < now() - ${ANSWERED_WITHIN})
    order by created_at limit ${COUNTED_MAX}
  ) as one`);

export async function readPool(tx: Session, partner: string): Promise<PoolState> {
  const [row] = await state(tx, [partner]);
  if (!row) throw new Error("an aggregate returned no row");
  return row;
}

const claimLease = statement(`
  insert into pool_leases as l (partner, lease_until) values ($1, clock_timestamp() + $2 * interval '1 millisecond')
  on conflict (partner) do update set lease_until = excluded.lease_until where l.lease_until <= clock_timestamp()
  returning partner`);
/** Whether this process may fill the pool of the partner until the lease ends. */
export const claimPoolLease = async (pool: Pool, partner: string, leaseMs: number): Promise<boolean> =>
  (await claimLease(pool, [partner, leaseMs])).length > 0;

const extendLease = statement(
  "update pool_leases set lease_until = clock_timestamp() + $2 * interval '1 millisecond' where partner = $1",
);
/** Nothing else fills the pool for this long. */
export async function extendPoolLease(pool: Pool, partner: string, leaseMs: number): Promise<void> {
  await extendLease(pool, [partner, leaseMs]);
}

/**
 * A partner that reports money for a number that no account has, after the answer of an opening was lost, has opened it. Which of
 * several openings it was makes no difference: none was given out.
 */
const adopt = statement<{ id: string; account_number: string }>(`
  with lost as materialized (
    select id, created_at, row_number() over (order by created_at, id) as n from pooled_accounts
    where partner = $1 and state = 'opening' and created_at < now() - ${ANSWERED_WITHIN}
  ), paid as materialized (
    select account_number, row_number() over (order by min(received_at), account_number) as n from inbound_transfers t
    where t.merchant_id is null and t.received_at > (select min(created_at) from lost) and t.mode = 'live' and t.bank = $1
      and not exists (select from pooled_accounts p where p.partner = $1 and p.account_number = t.account_number)
    group by account_number
  )
  update pooled_accounts p set state = 'set_aside', account_number = paid.account_number,
    reason = 'its answer was lost, and it received money', changed_at = clock_timestamp()
  from lost join paid using (n) where p.id = lost.id and p.state = 'opening'
  returning p.id, p.account_number`);
/** The openings whose accounts were found by money for them. They are known from then on, and not given out. */
export const adoptPaidAccounts = (pool: Pool, partner: string) => adopt(pool, [partner]);

const IS_UNANSWERED = `state = 'opening' and created_at < now() - ${ANSWERED_WITHIN}`;
const find = statement<{ partner: string }>(`select partner from pooled_accounts where id = $1 and ${IS_UNANSWERED}`);
/** The partner of an opening without an answer. */
export const unansweredAt = async (tx: Session, id: string): Promise<string | undefined> =>
  (await find(tx, [id]))[0]?.partner;

const unanswered = statement<{ id: string; since: string }>(
  `select id, created_at as since from pooled_accounts where partner = $1 and ${IS_UNANSWERED} order by created_at, id`,
);
/** At most UNANSWERED_MAX, oldest first. */
export const listUnanswered = (tx: Session, partner: string) => unanswered(tx, [partner]);
