import { type Input, Problem, type Result, type withdrawStatement } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { lockBankAccount } from "../store/bank-accounts.ts";
import { lockImports } from "../store/files.ts";
import { matchesOfStatement, removeMatches } from "../store/matches.ts";
import { deleteStatement, lastStatement } from "../store/statements.ts";
import { refuseClosed } from "./closed-day.ts";

/** Takes the last statement of an account back. One of which a line was offered to accounts stays: that line was credited. */
export function withdraw(
  pool: Pool,
  { account, from, number }: Pick<Input<typeof withdrawStatement>, "account" | "from" | "number">,
): Promise<Result<typeof withdrawStatement>> {
  return transaction(pool, async (tx) => {
    // Its file goes with the last of its statements, and an import may be taking another one of them again.
    await lockImports(tx);
    const locked = await lockBankAccount(tx, account);
    if (locked?.last_day)
      throw new Problem("conflict", "The account has ended with this statement: continue it first.");
    const last = await lastStatement(tx, account);
    if (!last || last.from !== from || (number !== undefined && number !== last.number))
      throw new Problem("not_found", `No such statement of ${account} is its last, from ${from}.`);
    // Repeated without it, it would take the one before.
    if (number === undefined && !last.is_only)
      throw new Problem("conflict", `Several begin on that day: name the number of the last one, ${last.number}.`);
    if (last.is_offered)
      throw new Problem(
        "conflict",
        "A line of it was offered as a transfer, returned a payout, or took a transfer back: it stays.",
      );
    await removeMatches(tx, await matchesOfStatement(tx, last.id));
    return deleteStatement(tx, last.id);
  }).catch(refuseClosed);
}
