import { type Pool, transaction } from "@collect/database";
import { type Match, match } from "../domain/matching.ts";
import { lockBankAccount } from "../store/bank-accounts.ts";
import { idOf, insertMatches, readOpen, removeMatches } from "../store/matches.ts";

/**
 * Matches whatever is open in an account. Matches that are found again stay as they are, so that a second run changes nothing; those by
 * the amount alone give way to better evidence; those by hand are never touched.
 */
export async function matchAccount(pool: Pool, account: string): Promise<void> {
  let hasMore = true;
  while (hasMore) hasMore = await matchOpen(pool, account);
}

/** Whether something was matched, and there was more than one run can read. */
function matchOpen(pool: Pool, account: string): Promise<boolean> {
  return transaction(pool, async (tx) => {
    await lockBankAccount(tx, account);
    const open = await readOpen(tx, account);
    const found = new Map(match(open).map((each) => [keyOf(each), each]));
    const weak = weakMatches(open);
    const gone = weak.filter((each) => !found.has(keyOf(each)));
    await removeMatches(tx, gone.map(idOf));
    for (const each of weak) found.delete(keyOf(each));
    await insertMatches(tx, [...found.values()], null);
    return !open.isAll && found.size > 0;
  });
}

type Matched = Pick<Match, "lines" | "movements" | "by">;

const keyOf = ({ lines, movements, by }: Matched) => `${by} ${lines.join()} ${movements.join()}`;

/** The matches by the amount, each of one line and one movement. */
function weakMatches({ lines, movements }: Awaited<ReturnType<typeof readOpen>>): Matched[] {
  const byMatch = new Map(movements.flatMap(({ key, match }) => (match === null ? [] : [[match, key] as const])));
  return lines.flatMap(({ id, match }) => {
    const key = match === null ? undefined : byMatch.get(match);
    return key === undefined ? [] : [{ lines: [id], movements: [key], by: "amount" as const }];
  });
}
