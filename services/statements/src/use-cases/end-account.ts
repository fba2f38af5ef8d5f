import { type endBankAccount, type Input, Problem } from "@collect/contracts";
import { isForeignKeyViolation, isUniqueViolation, type Pool, transaction } from "@collect/database";
import { kobo } from "../domain/statement.ts";
import { deleteBankAccount, deleteEnd, lockBankAccount, storeEnd } from "../store/bank-accounts.ts";
import { lockDays } from "../store/days.ts";
import { deleteLater, deleteUncovered } from "../store/movements.ts";
import { lastStatement } from "../store/statements.ts";
import { refuseClosed } from "./closed-day.ts";

/**
 * Days close without an account from the day after its last statement on, which has to show that nothing is left at the bank: what an
 * account keeps would be in no sum from then on. What our books have of later days is of the account that takes its place. The same again
 * is the same.
 */
export function endAccount(pool: Pool, given: Input<typeof endBankAccount>, by: string): Promise<void> {
  const { number, last_day: day, reason } = given;
  return transaction(pool, async (tx) => {
    const { last_day } = await locked(tx, number);
    if (last_day === day) return;
    if (last_day) throw new Problem("conflict", `It ended on ${last_day}: continue it first.`);
    const last = await lastStatement(tx, number);
    if (!last) throw new Problem("conflict", "It has no statement: remove it instead.");
    if (last.to !== day) throw new Problem("conflict", `Its last statement ends on ${last.to}: that is its last day.`);
    if (last.isInterim) throw new Problem("conflict", `The last page of ${last.to} is missing: import it first.`);
    if (last.closing !== 0n)
      throw new Problem(
        "conflict",
        `${kobo(last.closing)} is in it: import the statement that shows where it went first.`,
      );
    // What is being read is stored before, or finds that the account has ended.
    await lockDays(tx);
    await deleteLater(tx, number, day);
    await storeEnd(tx, { number, day, by, reason });
  }).catch(refuseClosed);
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
