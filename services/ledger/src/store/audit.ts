import { type Pool, statement, type Transaction } from "@collect/database";
import { type Difference, type ModeSum, NAMED_MAX } from "../domain/proof.ts";

/** How far the audit is. The cursor is the last entry proven in this round; the rounds count entries. */
export type Progress = {
  account_id: string;
  account_version: bigint;
  this_round: bigint;
  last_round: bigint;
  last_round_at: string | null;
  proven_at: string | null;
  modes: ModeSum[];
  /** Found in this round so far, and in the one before. */
  differences: Difference[];
  last_differences: Difference[];
};

const PROGRESS =
  "account_id, account_version, this_round, last_round, last_round_at, proven_at, modes, differences, last_differences";
const read = statement<Progress>(`select ${PROGRESS} from audit_progress`);
const take = statement<Progress>(`select ${PROGRESS} from audit_progress for update skip locked`);

export async function readProgress(pool: Pool): Promise<Progress> {
  const [progress] = await read(pool);
  if (!progress) throw new Error("audit_progress has lost its row");
  return progress;
}

/** The progress, to be continued in this transaction; nothing while another replica is at it. */
export async function takeProgress(tx: Transaction): Promise<Progress | undefined> {
  return (await take(tx))[0];
}

const write = statement(`
  update audit_progress set account_id = $1, account_version = $2, this_round = $3, modes = $4, differences = $5,
    proven_at = clock_timestamp()`);

/** Goes on within the round, up to this entry. */
export function continueRound(
  tx: Transaction,
  to: Pick<Progress, "account_id" | "account_version" | "this_round" | "modes" | "differences">,
) {
  const { account_id, account_version, this_round, modes, differences } = to;
  return write(tx, [account_id, account_version, this_round, JSON.stringify(modes), JSON.stringify(differences)]);
}

const finish = statement(`
  update audit_progress set account_id = '', account_version = 0, this_round = 0, last_round = $1, modes = $2,
    differences = '[]', last_differences = $3, last_round_at = clock_timestamp(), proven_at = clock_timestamp()`);

/** Every entry is proven: the next round begins with the first again. */
export function finishRound(tx: Transaction, round: Pick<Progress, "this_round" | "modes" | "differences">) {
  return finish(tx, [round.this_round, JSON.stringify(round.modes), JSON.stringify(round.differences)]);
}

/** One statement sees every posting whole or not at all, so at any moment the sums are zero. */
export const sumModes = statement<ModeSum>(`
  select mode, count(*)::integer as ledger_accounts, sum(balance)::text as sum
  from ledger_accounts group by mode order by mode`);

type Walked = { proven: number; account_id: string | null; account_version: bigint | null; differences: Difference[] };

/**
 * The next entries in the order of their key, beginning with the one proven last: each must continue the chain of its
 * account, and its transaction must be there and balance within its mode.
 */
const walk = statement<Walked>(`
  with chunk as materialized (
    select account_id, account_version, amount, balance_after, transaction_id
    from entries where (account_id, account_version) >= ($1::text, $2::bigint)
    order by account_id, account_version limit $3::bigint + 1
  ),
  link as materialized (
    select *, (account_id, account_version) = ($1::text, $2::bigint) as is_known,
      lag(account_version) over versions as version_before, lag(balance_after) over versions as balance_before
    from chunk window versions as (partition by account_id order by account_version)
  ),
  broken as (
    select 'the chain of versions and balances is broken' as what,
      format('entry %s version %s', account_id, account_version) as where
    from link
    where not is_known and (account_version, balance_after)
      is distinct from (coalesce(version_before, 0) + 1, coalesce(balance_before, 0) + amount)
    limit ${NAMED_MAX}
  ),
  touched as (
    select distinct transaction_id from chunk
  ),
  unbalanced as (
    select 'the entries are not two or more of its mode with the sum zero' as what,
      format('transaction %s', coalesce(head.key, transaction_id::text)) as where
    from touched
    left join lateral (select key, mode from transactions where id = transaction_id limit 1) as head on true
    cross join lateral (
      select count(*) as legs, sum(amount) as sum, bool_and(starts_with(account_id, head.mode || ':')) as in_mode
      from entries where entries.transaction_id = touched.transaction_id
    ) as proof
    where legs < 2 or sum <> 0 or in_mode is not true
    limit ${NAMED_MAX}
  )
  select (select count(*)::integer from link where not is_known) as proven, end_of.account_id, end_of.account_version,
    coalesce((select jsonb_agg(found) from (select * from broken union all select * from unbalanced) as found), '[]') as differences
  from (select 1) as always
  left join (select account_id, account_version from chunk order by account_id desc, account_version desc limit 1) as end_of on true`);

/** Proves up to `chunkMax` entries behind the cursor. */
export async function walkEntries(tx: Transaction, from: Progress, chunkMax: number): Promise<Walked> {
  const [walked] = await walk(tx, [from.account_id, from.account_version, chunkMax]);
  if (!walked) throw new Error("an aggregate without a row");
  return walked;
}

/** The ledger accounts whose balance and version are not those of their last entry. */
export const accountsApart = statement<Difference>(`
  select 'the balance and version are not those of the last entry' as what, format('ledger account %s', id) as where
  from ledger_accounts
  left join lateral (
    select account_version, balance_after from entries where account_id = id order by account_version desc limit 1
  ) as last on true
  where (version, balance) is distinct from (account_version, balance_after)
  limit ${NAMED_MAX}`);
