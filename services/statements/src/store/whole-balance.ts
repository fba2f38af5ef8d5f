import { query, type Session } from "@collect/database";
import type { Day } from "../domain/statement.ts";

const TOTAL_OF = (totals: string) => `(select coalesce(sum(value::bigint), 0) from jsonb_each_text(${totals}))`;
const booked = query<{ booked: bigint }>(`
  select (coalesce(sum(${TOTAL_OF("own_funds_totals")} - ${TOTAL_OF("charge_totals")}), 0) + coalesce((
      select (sheet -> 'ledger' ->> 'booked')::bigint from closings where day = (select min(from_on) from statements) and reopened_at is null
    ), 0))::bigint as booked
  from closings where reopened_at is null and day < $1`);
/** What the days before were closed with and the ledger books: own funds less charges. Also what it had before the first day of all. */
export async function readBookedBefore(tx: Session, day: Day): Promise<bigint> {
  const [row] = await booked(tx, [day]);
  if (!row) throw new Error("an aggregate returned no row");
  return row.booked;
}

// The later side is the smaller one: of a day that is closed next there are the statements of a few days more, if any.
const timing = query<{ timing: bigint }>(`
  with later as (
    select match_id from lines where booked_on > $1 and match_id is not null
    union
    select match_id from movements where (booked_on > $1 or booked_on is null and not is_void) and match_id is not null
  )
  select (coalesce((select sum(amount) from later join lines using (match_id) where booked_on <= $1), 0)
    - coalesce((select sum(amount) from later join movements using (match_id) where booked_on <= $1), 0))::bigint as timing`);
/** By how much the banks have more at the end of a day, because one side of a match is of a later day. */
export async function readTiming(tx: Session, day: Day): Promise<bigint> {
  const [row] = await timing(tx, [day]);
  if (!row) throw new Error("an expression returned no row");
  return row.timing;
}
