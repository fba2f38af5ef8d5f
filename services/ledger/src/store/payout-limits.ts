import type { MerchantScope } from "@collect/contracts";
import { type Session, statement } from "@collect/database";
import type { Kobo } from "@collect/money";
import { NO_LIMITS, type PayoutLimits, stricter } from "../domain/payout-limits.ts";

export type LimitsAuthor = "operator" | "merchant";

type Row = {
  set_by: LimitsAuthor;
  transfer_max: bigint | null;
  day_max: bigint | null;
  approval_above: bigint | null;
  /** Of a row that is not effective yet. */
  upcoming_at: string | null;
};
const COLUMNS = "set_by, transfer_max, day_max, approval_above";

/** Of each author: never a change that was replaced before it took effect. */
const EFFECTIVE = `
  select distinct on (set_by) ${COLUMNS}, null as upcoming_at from payout_limits as limits
  where merchant_id = $1 and effective_at <= clock_timestamp() and not exists (
    select from payout_limits as later
    where later.merchant_id = $1 and later.set_by = limits.set_by and later.id > limits.id
      and later.created_at < limits.effective_at)
  order by set_by, id desc`;
const effective = statement<Row>(EFFECTIVE);

/** The limits that each has set, as they apply now; the operator's are `standard` where none were set. */
export async function readLimits(
  session: Session,
  { merchantId, standard }: { merchantId: string; standard: PayoutLimits },
): Promise<Record<LimitsAuthor, PayoutLimits>> {
  return limitsOf(await effective(session, [merchantId]), standard);
}

function limitsOf(rows: Row[], standard: PayoutLimits): Record<LimitsAuthor, PayoutLimits> {
  const of = (author: LimitsAuthor) => rows.find(({ set_by }) => set_by === author);
  return { operator: limitsIn(of("operator")) ?? standard, merchant: limitsIn(of("merchant")) ?? NO_LIMITS };
}

const upcoming = statement<Row>(`
  select ${COLUMNS}, effective_at as upcoming_at from payout_limits
  where merchant_id = $1 and set_by = 'merchant' and effective_at > clock_timestamp()
    and id = (select max(id) from payout_limits where merchant_id = $1 and set_by = 'merchant')`);

/** The merchant's latest change, if it is not effective yet. */
export async function readUpcoming(
  session: Session,
  merchantId: string,
): Promise<(PayoutLimits & { effectiveAt: string }) | null> {
  const [row] = await upcoming(session, [merchantId]);
  const limits = limitsIn(row);
  return limits && row?.upcoming_at ? { ...limits, effectiveAt: row.upcoming_at } : null;
}

const lock = statement<{ locked: string }>(
  "select pg_advisory_xact_lock(hashtextextended('payout_limits:' || $1, 0))::text as locked",
);

/** Until the end of the transaction nobody else changes this merchant's limits. */
export const lockLimits = async (tx: Session, merchantId: string): Promise<void> => void (await lock(tx, [merchantId]));

const insert = statement(`
  insert into payout_limits (merchant_id, set_by, transfer_max, day_max, approval_above, effective_at)
  values ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 millisecond')`);

/** Replaces the author's limits after so many milliseconds, and any change of theirs that has not taken effect. */
export async function insertLimits(
  session: Session,
  change: { merchantId: string; author: LimitsAuthor; limits: PayoutLimits; delayMs: number },
): Promise<void> {
  const { transferMax, dayMax, approvalAbove } = change.limits;
  await insert(session, [change.merchantId, change.author, transferMax, dayMax, approvalAbove, change.delayMs]);
}

/** The day in Lagos, which is UTC+1 all year; of the transaction, so that a reserve and its day agree. */
export const TODAY = "(now() at time zone 'UTC' + interval '1 hour')::date";

const today = statement<{ mode: MerchantScope["mode"]; amount: bigint }>(
  `select mode, amount from payout_days where merchant_id = $1 and day = ${TODAY}`,
);

/** What a merchant ordered today, in each mode. */
export async function readOrderedToday(session: Session, merchantId: string): Promise<Record<"test" | "live", Kobo>> {
  const rows = await today(session, [merchantId]);
  return Object.assign({ test: 0n, live: 0n }, ...rows.map(({ mode, amount }) => ({ [mode]: amount })));
}

const bounds = statement<Row & { ordered_today: bigint }>(`
  select coalesce((select amount from payout_days where merchant_id = $1 and mode = $2 and day = ${TODAY}), 0) as ordered_today,
    limits.*
  from (select) one left join (${EFFECTIVE}) limits on true`);

/** What decides about one more order: the limits as they apply now, and what was ordered today. One statement, for the path of every payout. */
export async function readBounds(
  tx: Session,
  { merchant: { id, mode }, standard }: { merchant: MerchantScope; standard: PayoutLimits },
): Promise<{ limits: PayoutLimits; orderedToday: Kobo }> {
  const rows = await bounds(tx, [id, mode]);
  const { operator, merchant } = limitsOf(rows, standard);
  return { limits: stricter(operator, merchant), orderedToday: rows[0]?.ordered_today ?? 0n };
}

const add = statement(`
  insert into payout_days as days (merchant_id, mode, day, amount) values ($1, $2, ${TODAY}, $3)
  on conflict (merchant_id, mode, day) do update set amount = days.amount + excluded.amount`);

export async function addToDay(session: Session, { id, mode }: MerchantScope, amount: Kobo): Promise<void> {
  await add(session, [id, mode, amount]);
}

const take = statement(`
  update payout_days as days set amount = days.amount - reserve.amount
  from (select * from transfer_reserves where transfer_id = $1) as reserve
  where (days.merchant_id, days.mode, days.day) = (reserve.merchant_id, reserve.mode, reserve.counted_on)`);

/** A transfer that failed no longer counts on its day. Restored reserves, and those of the previous release, never did. */
export async function takeFromDay(session: Session, transferId: string): Promise<void> {
  await take(session, [transferId]);
}

function limitsIn(row: Row | undefined): PayoutLimits | undefined {
  return row && { transferMax: row.transfer_max, dayMax: row.day_max, approvalAbove: row.approval_above };
}
