import type { MerchantScope, Mode } from "@collect/contracts";
import { type Pool, query, type Session, statement } from "@collect/database";
import { collected } from "../domain/account.ts";
import { DEFAULT_SETTLEMENT_SCHEDULE, type SettlementSchedule } from "../domain/settlement.ts";

type Row = { merchant_id: string; delay_days: number; at_minutes: number };

const write = statement<Row>(`
  insert into settlement_schedules (merchant_id, delay_days, at_minutes) values ($1, $2, $3)
  on conflict (merchant_id) do update
    set delay_days = excluded.delay_days, at_minutes = excluded.at_minutes, changed_at = clock_timestamp()
  returning merchant_id, delay_days, at_minutes`);

export async function setSchedule(
  session: Session,
  { merchantId, delayDays, atMinutes }: SettlementSchedule & { merchantId: string },
): Promise<Row> {
  const [row] = await write(session, [merchantId, delayDays, atMinutes]);
  if (!row) throw new Error("an upsert returned no row");
  return row;
}

const read = statement<Row>(
  "select merchant_id, delay_days, at_minutes from settlement_schedules where merchant_id = $1",
);

/** The merchant's own schedule, otherwise the default. */
export async function readSchedule(pool: Pool, merchantId: string): Promise<SettlementSchedule> {
  const [row] = await read(pool, [merchantId]);
  return row ? { delayDays: row.delay_days, atMinutes: row.at_minutes } : DEFAULT_SETTLEMENT_SCHEDULE;
}

/** Every schedule in use, and when it was last assigned to a merchant. */
const distinct = statement<{ delay_days: number; at_minutes: number; changed_at: string }>(`
  select delay_days, at_minutes, max(changed_at)::text as changed_at
  from settlement_schedules group by delay_days, at_minutes order by delay_days, at_minutes`);

export async function schedulesInUse(pool: Pool): Promise<(SettlementSchedule & { changedAt: string })[]> {
  const rows = await distinct(pool);
  return rows.map((row) => ({ delayDays: row.delay_days, atMinutes: row.at_minutes, changedAt: row.changed_at }));
}

/** A Collected account: its merchant's own schedule, its last cut-off, and when the first entry after it was recorded. */
export type Collecting = {
  id: string;
  merchant_id: string;
  mode: Mode;
  delay_days: number | null;
  at_minutes: number | null;
  settled_before: string | null;
  next_recorded_at: string | null;
};

// Each subquery reads one row by an index, whatever the tables contained when the plan was made.
const page = statement<Collecting>(`
  select account.id, account.merchant_id, account.mode, schedule.delay_days, schedule.at_minutes,
    last.cut_off as settled_before, next.recorded_at as next_recorded_at
  from (select id, merchant_id, mode from ledger_accounts where id > $1 and id < $2 order by id limit $3) as account
  left join lateral (
    select delay_days, at_minutes from settlement_schedules where merchant_id = account.merchant_id limit 1
  ) as schedule on true
  left join lateral (
    select cut_off, to_version from settlements
    where merchant_id = account.merchant_id and mode = account.mode order by cut_off desc limit 1
  ) as last on true
  left join lateral (
    select recorded_at from entries where account_id = account.id and account_version = coalesce(last.to_version, 0) + 1 limit 1
  ) as next on true
  order by account.id`);

// What is credited and not settled yet: a settlement debits.
const unsettled = query<{ recorded_at: string }>(`
  select recorded_at from entries
  where account_id = $1 and amount < 0 and account_version > coalesce((
    select to_version from settlements where merchant_id = $2 and mode = $3 order by cut_off desc limit 1), 0)
  order by account_version limit 1`);

/** When the oldest money of a merchant that is not settled was recorded; undefined without any. */
export async function oldestUnsettled(pool: Pool, merchant: MerchantScope): Promise<Date | undefined> {
  const [row] = await unsettled(pool, [collected(merchant), merchant.id, merchant.mode]);
  return row && new Date(row.recorded_at);
}

/** The next Collected accounts of one mode in id order, after the id given or from the first. */
export function pageOfCollecting(
  pool: Pool,
  { mode, after, pageMax }: { mode: Mode; after: string | undefined; pageMax: number },
): Promise<Collecting[]> {
  const first = collected({ mode, id: "" });
  return page(pool, [after ?? first, `${first}~`, pageMax]);
}
