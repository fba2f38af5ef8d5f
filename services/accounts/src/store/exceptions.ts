import { EXCEPTIONS_MAX, type MerchantScope, type Mode } from "@collect/contracts";
import { type Pool, query } from "@collect/database";

/** Exceptions that need a person, with a limit for each kind: newest first, but the unfinished ones oldest first. */
const MOST = EXCEPTIONS_MAX;

type Quarantined = {
  bank_transfer_id: string;
  bank: string;
  mode: Mode;
  reason: string;
  received_at: string;
  account_number: string;
  amount_kobo: string;
  currency: string;
  times: number;
  merchant_id: string | null;
  customer_reference: string | null;
};
/** Of live mode: merchants cause quarantined test money on purpose, in any number. */
const quarantined = query<Quarantined>(`
  with newest as (
    select * from quarantined_transfers where mode = 'live' order by received_at desc limit ${MOST})
  select q.bank_transfer_id, q.bank, q.mode, q.reason, q.received_at, q.account_number, q.amount::text as amount_kobo, q.currency,
    q.times, q.merchant_id, a.customer_reference
  from newest q
  left join customer_accounts a on a.mode = q.mode and a.account_number = q.account_number and a.merchant_id = q.merchant_id
  order by q.received_at desc`);

type Unallocated = {
  intake_id: string;
  bank: string;
  mode: Mode;
  account_number: string;
  amount_kobo: string;
  received_at: string;
};
/** What is left of it: banks take back money in suspense, too. */
const unallocated = query<Unallocated>(`
  select intake_id, bank, mode, account_number, (amount - reversed)::text as amount_kobo, received_at
  from inbound_transfers where merchant_id is null and reversed < amount order by received_at desc limit ${MOST}`);

type Unfinished = { intake_id: string; mode: Mode; drives: number; received_at: string };
const unfinished = query<Unfinished>(`
  select intake_id, mode, drives, received_at from inbound_transfers
  where completed_at is null and received_at < now() - interval '1 minute' order by received_at limit ${MOST}`);

type UnfinishedReversal = {
  intake_id: string;
  bank_transfer_id: string;
  mode: Mode;
  waits_for_transfer: boolean;
  amount_kobo: string;
  received_at: string;
};
const reversals = query<UnfinishedReversal>(`
  select reversal_id as intake_id, bank_transfer_id, mode, admitted_at is null as waits_for_transfer, amount::text as amount_kobo, received_at
  from inbound_reversals where completed_at is null and received_at < now() - interval '1 minute' order by received_at limit ${MOST}`);

export async function readExceptions(pool: Pool) {
  const [quarantinedRows, unallocatedRows, unfinishedRows, reversalRows] = await Promise.all([
    quarantined(pool),
    unallocated(pool),
    unfinished(pool),
    reversals(pool),
  ]);
  return {
    ...{ quarantined: quarantinedRows, unallocated: unallocatedRows, unfinished: unfinishedRows },
    reversals: reversalRows,
  };
}

// Each stops where nobody would count on.
const count = query<{ quarantined: number; unfinished: number }>(`
  select
    (select count(*) from (
      select from quarantined_transfers where merchant_id = $1 and mode = $2 limit ${MOST}
    ) as q)::integer as quarantined,
    (select count(*) from (
      select from inbound_transfers
      where merchant_id = $1 and mode = $2 and completed_at is null and received_at < now() - interval '1 minute'
      limit ${MOST}
    ) as u)::integer as unfinished`);

export async function countExceptions(pool: Pool, { id, mode }: MerchantScope) {
  const [counts] = await count(pool, [id, mode]);
  if (!counts) throw new Error("a count returned no row");
  return counts;
}
