import { type endBankAccount, type Input, Problem } from "@collect/contracts";
import { isForeignKeyViolation, isUniqueViolation, type Pool, transaction } from "@collect/database";
import { leftAtBank } from "../domain/sheet.ts";
import { kobo } from "../domain/statement.ts";
import { deleteBankAccount, deleteEnd, lockBankAccount, storeEnd } from "../store/bank-accounts.ts";
import { lockDays } from "../store/closings.ts";
import { deletePending, deleteUncovered } from "../store/movements.ts";
import { lastStatement } from "../store/statements.ts";
import { refuseClosed } from "./closed-day.ts";

/**
 * Days close without an account from the day after its last statement on. What that leaves at the bank has to be named: it would be in no
 * sum from then on, so it is a line of the first day without the account. The same again is the same.
 */
export function endAccount(pool: Pool, given: Input<typeof endBankAccount>, by: string): Promise<void> {
  const { number, last_day: day, reason } = given;
  return transaction(pool, async (tx) => {
    const { last_day } = await locked(tx, number);
    if (last_day && last_day !== day) throw new Problem("conflict", `It ended on ${last_day}: continue it first.`);
    const left = assertLast(await lastStatement(tx, number), given);
    if (last_day) return;
    // What is being read is stored before, or finds that the account has ended.
    await lockDays(tx);
    await deletePending(tx, number);
    // In the reason, too: a sheet of the release before has no amount for it.
    await storeEnd(tx, { number, day, by, reason: left === 0n ? reason : `${leftAtBank(left)}: ${reason}` });
  }).catch(refuseClosed);
}

type Last = Awaited<ReturnType<typeof lastStatement>>;

/** Returns what the last statement leaves at the bank, which the operator has named if it is anything, or if a page is missing. */
function assertLast(last: Last, { last_day, residue }: Input<typeof endBankAccount>): bigint {
  if (!last) throw new Problem("conflict", "It has no statement: remove it instead.");
  if (last.to !== last_day)
    throw new Problem("conflict", `Its last statement ends on ${last.to}: that is its last day.`);
  if (residue === undefined && last.isInterim)
    throw new Problem("conflict", `The last page of ${last.to} is missing: import it first.`);
  if (residue === undefined && last.closing !== 0n)
    throw new Problem(
      "conflict",
      `${kobo(last.closing)} is in it: import the statement that shows where it went first, or name what is left at the bank.`,
    );
  if (residue !== undefined && residue !== last.closing)
    throw new Problem("conflict", `${kobo(last.closing)} is in it, and not ${kobo(residue)}.`);
  return last.closing;
}

/** Takes the end back. */
export function continueAccount(pool: Pool, number: string): Promise<void> {
  return transaction(pool, async (tx) => {
    const { last_day } = await locked(tx, number);
    if (last_day) await deleteEnd(tx, number, last_day);
  }).catch((cause) => {
    if (!isUniqueViolation(cause)) refuseClosed(cause);
    throw new Problem("conflict", "Another account has taken its place.", { cause });
  });
}

/** Removes an account that was named by mistake. It may have as many movements as a partner has transfers: some at a time. */
export async function removeAccount(pool: Pool, number: string): Promise<void> {
  for (let isLeft = true; isLeft; ) isLeft = await deleteUncovered(pool, number).catch(refuseClosed);
  const isRemoved = await transaction(pool, (tx) => deleteBankAccount(tx, number)).catch((cause) => {
    if (!isForeignKeyViolation(cause)) throw cause;
    throw new Problem("conflict", "It has statements: withdraw what was imported by mistake, or end it.", { cause });
  });
  if (!isRemoved) throw unknown(number);
}

async function locked(...[tx, number]: Parameters<typeof lockBankAccount>) {
  const account = await lockBankAccount(tx, number);
  if (!account) throw unknown(number);
  return account;
}

const unknown = (number: string) => new Problem("not_found", `No account of ours has the number ${number}.`);
