import { query, type Session, statement, type Transaction } from "@collect/database";
import { type DayTotal, totalTransaction } from "../domain/day-totals.ts";
import { postBatch } from "./post-batch.ts";

type OfDay = { account: string; day: string };
type Booked = { total: bigint; version: number };

const lock = statement<{ locked: string }>("select pg_advisory_xact_lock(hashtextextended($1, 0))::text as locked");

const statementsOn = (table: string) => ({
  last: statement<Booked>(
    `select total, version from ${table} where day = $1 and account = $2 order by version desc limit 1`,
  ),
  insert: statement(`insert into ${table} (day, account, version, total, transaction_id) values ($1, $2, $3, $4, $5)`),
  list: query<OfDay & Booked>(`
    select distinct on (day, account) day::text as day, account, total, version from ${table}
    where day between $1 and $2 order by day, account, version desc`),
});
const STATEMENTS = { charges: statementsOn("day_charges"), own_funds: statementsOn("day_own_funds") };

/**
 * Makes the total of an account and day this one, if it is still what the caller has seen, and returns what it is then. A request
 * that comes twice, or behind a newer one, finds another version and books nothing.
 */
export async function bookDayTotal(
  tx: Transaction,
  of: DayTotal,
  { account, day, total, replaces, shard }: OfDay & { total: bigint; replaces: number; shard: number },
): Promise<Booked> {
  const { last, insert } = STATEMENTS[of];
  await lock(tx, [`day_${of}:${account}:${day}`]);
  const [booked = { total: 0n, version: 0 }] = await last(tx, [day, account]);
  if (booked.version !== replaces || booked.total === total) return booked;
  const version = booked.version + 1;
  const given = { account, day, version, before: booked.total, total, shard };
  const [posted] = await postBatch(tx, [totalTransaction(of, given)]);
  await insert(tx, [day, account, version, total, posted?.id]);
  return { total, version };
}

/** What is booked of these days, of all accounts. */
export const listDayTotals = (pool: Session, of: DayTotal, { from, to }: { from: string; to: string }) =>
  STATEMENTS[of].list(pool, [from, to]);
