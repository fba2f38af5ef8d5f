import { query, type Session } from "@collect/database";
import { COVERED_TO } from "./statements.ts";

const SHOWN = 20;

// On open days only: on a closed one a person has given a reason. The statement of the next day proves that it is not on its way.
const missing = query<{ count: number; keys: string[] | null }>(`
  select count(*)::integer as count, (array_agg(key order by key))[1:${SHOWN}] as keys
  from movements join bank_accounts on bank_accounts.number = movements.account
  cross join lateral (
    select min(from_on) as covered_from, ${COVERED_TO} as covered_to from statements where account = movements.account
  ) as covered
  where match_id is null and not is_void and booked_on between covered_from and covered_to - 1 and not is_closed(booked_on)`);

/** Movements that our books have and the bank's statements of that day and the next have not. */
export async function countMissing(pool: Session): Promise<{ count: number; keys: string[] }> {
  const [row] = await missing(pool);
  return { count: row?.count ?? 0, keys: row?.keys ?? [] };
}
