import { createHash } from "node:crypto";
import type { MerchantScope, Mode } from "@collect/contracts";
import { statement, type Transaction } from "@collect/database";
import { collected } from "../domain/account.ts";
import { settlementTransaction } from "../domain/settlement.ts";
import { postBatch } from "./post-batch.ts";
import { cover, lockSettled } from "./reversals.ts";

/** A recorded settlement. Versions count the entries of the merchant's Collected; the amount is in kobo. */
export type Settlement = {
  reference: string;
  merchant_id: string;
  mode: Mode;
  cut_off: string;
  from_version: bigint;
  to_version: bigint;
  amount: bigint;
  transaction_id: string;
  created_at: string;
};

/**
 * Moves the money that a merchant collected before the cut-off (null: until now) and that is not settled yet. Null when
 * there is nothing to move, or when this cut-off or a later one is already settled. A cut-off in the future, on the
 * database's clock, is refused: money would be settled early, and the cut-off would count as settled when it comes. Postings
 * to the merchant wait only for these few statements, and its reserves and reversals for the transaction.
 */
export async function settle(
  tx: Transaction,
  { merchant, cutOff }: { merchant: MerchantScope; cutOff: Date | null },
): Promise<Settlement | null> {
  const account = collected(merchant);
  await lockSettled(tx, merchant);
  const [locked] = await lock(tx, [account]);
  if (!locked) return null;
  const [measured] = await measure(tx, [account, merchant.id, merchant.mode, cutOff?.toISOString(), locked.version]);
  if (!measured) throw new Error(`the entries of ${account} have a gap`);
  if (measured.is_ahead) throw new Error(`the cut-off ${measured.cut_off} is in the future`);
  // Below zero, what was taken back is more than what came: that stays in Collected until more comes.
  if (measured.amount <= 0n) return null;

  const transaction = settlementTransaction({ merchant, amount: measured.amount, cutOff: measured.cut_off });
  const [posted] = await postBatch(tx, [transaction]);
  const [settlement] = await record(tx, [
    referenceOf(transaction.key),
    merchant.id,
    merchant.mode,
    measured.cut_off,
    measured.from_version,
    measured.to_version,
    locked.version + 1n,
    measured.amount,
    posted?.id,
  ]);
  // What was taken back since the cut-off was in Collected, and may have been settled now.
  if (posted) await cover(tx, { merchant, key: transaction.key, occurredAt: posted.postedAt });
  return settlement ?? null;
}

/** Derived from the transaction's key, so that a restored database derives the same reference again. */
function referenceOf(key: string): string {
  return `stl_${createHash("sha256").update(key).digest("hex").slice(0, 32)}`;
}

const lock = statement<{ version: bigint }>("select version from ledger_accounts where id = $1 for update");

const INSTANT = "interval '1 microsecond'";

type Measured = { cut_off: string; is_ahead: boolean; from_version: bigint; to_version: bigint; amount: bigint };

/**
 * The versions that the cut-off covers, and the sum of their entries without settlements: a separate statement after the
 * lock, so that it sees every version. `recorded_at` increases with the version, so the last entry before the cut-off is
 * found by binary search, one row at a time; the sum is the difference of two balances, plus the settlements in between.
 * The entry of a settlement that ran late can lie within the range of any later one: that is why settlements are found by
 * the versions of their own entries.
 *
 * A test clock that stands still gives entries and cut-offs the same time: a settlement of everything until now is then of the
 * next instant.
 */
const measure = statement<Measured>(`
  with recursive last as materialized (
    select cut_off, to_version from settlements where merchant_id = $2 and mode = $3 order by cut_off desc limit 1
  ),
  cut as materialized (
    select coalesce($4::timestamptz, after_all, now) as off, coalesce($4::timestamptz > now, false) as is_ahead
    from (select time_of($2, $3) as now) as clock cross join lateral (
      select case when $3 = 'test' then greatest(now, (select cut_off from last) + ${INSTANT}, (
        select recorded_at from entries where account_id = $1 and account_version = $5::bigint) + ${INSTANT}) end as after_all
    ) as standing
  ),
  start as materialized (
    select coalesce((select to_version from last), 0) as version,
      coalesce((select cut_off >= off from last), false) as is_settled
    from cut
  ),
  search (low, high) as (
    select version, case when is_settled then version else $5::bigint end from start
    union all
    select case when is_before then middle else low end, case when is_before then high else middle - 1 end
    from (select low, high, (low + high + 1) / 2 as middle from search where low < high) as half
    cross join lateral (
      select recorded_at < (select off from cut) as is_before
      from entries where account_id = $1 and account_version = middle limit 1
    ) as entry
  ),
  range as (
    select version as from_version, low as to_version from start, search where low = high
  )
  select to_char((select off from cut) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as cut_off,
    (select is_ahead from cut) as is_ahead,
    from_version,
    to_version,
    coalesce((select balance_after from entries where account_id = $1 and account_version = from_version), 0)
      - coalesce((select balance_after from entries where account_id = $1 and account_version = to_version), 0)
      + (
        select coalesce(sum(amount), 0)::bigint from settlements
        where merchant_id = $2 and mode = $3 and entry_version > range.from_version and entry_version <= range.to_version
      ) as amount
  from range`);

const record = statement<Settlement>(`
  insert into settlements (reference, merchant_id, mode, cut_off, from_version, to_version, entry_version, amount, transaction_id, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, greatest(time_of($2, $3), case when $3 = 'test' then $4::timestamptz end))
  returning reference, merchant_id, mode, cut_off, from_version, to_version, amount, transaction_id::text, created_at`);
