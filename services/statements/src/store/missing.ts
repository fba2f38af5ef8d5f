import { query, type Session } from "@collect/database";
import { COVERED_TO } from "./statements.ts";

/**
 * Of `movements` of `bank_accounts`: how many days after it the statements prove that it is not on its way. What a partner received for us, or takes back
 * of it, is in what it settles. A payout, and its way back, is booked at once.
 */
export const MISSING_AFTER = "case when starts_with(key, 'trf_') then 1 else settles_within end";

const SHOWN = 20;

// On open days only: on a closed one a person has given a reason.
const missing = query<{ count: number; keys: string[] | null }>(`
  select count(*)::integer as count, (array_agg(key order by key))[1:${SHOWN}] as keys
  from movements join bank_accounts on bank_accounts.number = movements.account
  cross join lateral (
    select min(from_on) as covered_from, ${COVERED_TO} as covered_to from statements where account = movements.account
  ) as covered
  where match_id is null and not is_void and booked_on between covered_from and covered_to - ${MISSING_AFTER} and not is_closed(booked_on)`);

/** Movements that our books have and the bank's statements have not, up to the day by which they would. */
export async function countMissing(pool: Session): Promise<{ count: number; keys: string[] }> {
  const [row] = await missing(pool);
  return { count: row?.count ?? 0, keys: row?.keys ?? [] };
}
