import { Problem } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { lockBankAccount } from "../store/bank-accounts.ts";
import { idOf, insertMatches, readAround, removeMatches } from "../store/matches.ts";
import { dayClosed, refuseClosed } from "./closed-day.ts";

/**
 * Matches lines and movements of one account by hand, and undoes the matches that they were in. On a closed day only what is in no
 * match can still be matched, with something of an open one. The same again is the same match.
 */
export function matchByHand(pool: Pool, given: { lines: string[]; movements: string[] }, by: string): Promise<bigint> {
  return transaction(pool, async (tx) => {
    const [account] = (await readAround(tx, given)).map((row) => row.account);
    if (account === undefined) throw unknown();
    await lockBankAccount(tx, account);
    const around = await readAround(tx, given);
    const total = around.reduce((sum, { n }) => sum + n, 0);
    if (total !== new Set(given.lines).size + new Set(given.movements).size) throw unknown();
    if (around.some((row) => row.account !== account)) throw new Problem("conflict", "They are of different accounts.");
    // No second person would see it.
    if (!around.some((row) => row.is_open)) throw dayClosed();
    const match = {
      lines: [...new Set(given.lines)].map(BigInt),
      movements: [...new Set(given.movements)],
      by: "hand" as const,
    };
    await removeMatches(tx, [...new Set(around.flatMap((row) => row.match ?? []))]);
    await insertMatches(tx, [match], by);
    return idOf(match);
  }).catch(refuseClosed);
}

const unknown = () => new Problem("not_found", "Not all of these lines and movements exist.");
