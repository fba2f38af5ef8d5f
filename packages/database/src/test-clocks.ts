import type { Session } from "./pool.ts";
import { statement } from "./statement.ts";

/**
 * Merchants' test clocks: the table `test_clocks` and the function `time_of(merchant, mode)`, which the services with waiting
 * times have in their databases. In live mode there is no clock but the database's.
 */

export type MovedClock = {
  /** The merchant's time before. */
  from: string;
  /** Where the clock stands, and the merchant's time: that, or real time once the clock is behind it. */
  at: string;
  now: string;
};

const move = statement<MovedClock>(`
  with before as materialized (select max(at) as at from test_clocks where merchant_id = $1),
  moved as (
    insert into test_clocks as c (merchant_id, at) values ($1, $2::timestamptz)
    on conflict (merchant_id) do update set at = excluded.at where c.at < excluded.at
    returning at)
  select greatest(clock_timestamp(), before.at)::timestamptz(3) as "from", stands.at,
    greatest(clock_timestamp(), stands.at)::timestamptz(3) as now
  from before, lateral (select coalesce((select at from moved), before.at, $2)::timestamptz(3) as at) as stands`);

/** Moves the clock to this time, or leaves it where it is if it is there already. */
export async function moveTestClock(session: Session, merchantId: string, to: string): Promise<MovedClock> {
  const [moved] = await move(session, [merchantId, to]);
  if (!moved) throw new Error("an aggregate returned no row");
  return moved;
}

type Scope = { id: string; mode: string };

const readAll = statement<{ id: string; mode: string; now: string }>(`
  select id, mode, time_of(id, mode)::timestamptz(3) as now from unnest($1::text[], $2::text[]) as m (id, mode)`);

/** The time of each of these merchants, to the millisecond. */
export async function readTimes(session: Session, merchants: Scope[]): Promise<(merchant: Scope) => Date> {
  const distinct = [...new Map(merchants.map((merchant) => [keyOf(merchant), merchant])).values()];
  const rows = await readAll(session, [distinct.map(({ id }) => id), distinct.map(({ mode }) => mode)]);
  const times = new Map(rows.map((row) => [keyOf(row), new Date(row.now)]));
  return (merchant) => {
    const time = times.get(keyOf(merchant));
    if (!time) throw new Error(`the time of ${merchant.id} was not read`);
    return time;
  };
}

const readAhead = statement<{ merchant_id: string; at: string }>(
  "select merchant_id, at from test_clocks where merchant_id = any($1::text[]) and at > clock_timestamp()",
);

/** Where the test clocks of these merchants stand that are ahead of real time, by merchant. */
export async function readTestClocks(session: Session, merchantIds: string[]): Promise<Map<string, string>> {
  const rows = await readAhead(session, [merchantIds]);
  return new Map(rows.map(({ merchant_id, at }) => [merchant_id, at]));
}

/** The time of one merchant, to the millisecond. */
export const readTimeOf = async (session: Session, merchant: Scope): Promise<Date> =>
  (await readTimes(session, [merchant]))(merchant);

const keyOf = ({ id, mode }: Scope) => `${mode} ${id}`;
