import {
  type claimReturn as claim,
  type Input,
  isReversalOfLine,
  Problem,
  type releaseReturn as release,
} from "@collect/contracts";
import { isUniqueViolation, type Pool, type Session, transaction } from "@collect/database";
import { endOf } from "../domain/calendar.ts";
import { lockBankAccount } from "../store/bank-accounts.ts";
import { readOffer, storeOffer } from "../store/offers.ts";
import {
  accountElsewhere,
  creditOfSession,
  deleteReturn,
  isReturnBooked,
  lineOfReturn,
  readBookedReturn,
} from "../store/returns.ts";
import { readLine } from "../store/statements.ts";
import { existingLine, type Line, refuseOwnFunds } from "./existing-line.ts";
import type { Refresh } from "./refresh.ts";

type Given = Input<typeof claim>;

/**
 * Keeps a line for the payout that the bank returned with it: as an offer of a line, of which there is one. The same again is asked the same
 * questions: what became known since may show that the line is something else. What payments knows by now is read before: a return that our
 * books have is matched with its line, and not claimed for a second one.
 */
export async function claimReturn({ pool, refresh }: { pool: Pool; refresh: Refresh }, given: Given): Promise<void> {
  await refresh();
  await transaction(pool, async (tx) => {
    const { account } = await existingLine(tx, given.line);
    await lockBankAccount(tx, account);
    const line = await existingLine(tx, given.line);
    const offer = await readOffer(tx, given.line);
    const isRepeat = offer?.is_return === true && offer.bank_transfer_id === given.reference;
    if (offer && !isRepeat) throw taken(offer);
    // Only payments has lost it.
    if (isRepeat && (await isReturnBooked(tx, given))) return;
    assertReturn(line, given);
    await assertOnlyReturn(tx, given);
    if (isRepeat) return;
    const { line: id, reference, account_number, amount } = given;
    await storeOffer(tx, { line: id, bank_transfer_id: reference, account_number, amount, is_return: true });
  }).catch((cause) => {
    if (!isUniqueViolation(cause)) throw cause;
    throw new Problem("conflict", "Another line is claimed as the return of this payout.", { cause });
  });
}

/** payments has decided before that no act which has begun returns the payout with this line. */
export function releaseReturn(pool: Pool, given: Input<typeof release>): Promise<void> {
  return transaction(pool, async (tx) => {
    const line = await readLine(tx, given.line);
    if (!line) return;
    await lockBankAccount(tx, line.account);
    await deleteReturn(tx, given);
  });
}

function taken({ is_return, bank_transfer_id }: NonNullable<Awaited<ReturnType<typeof readOffer>>>): Problem {
  if (isReversalOfLine(bank_transfer_id)) return new Problem("conflict", "The line took a transfer back.");
  return new Problem(
    "conflict",
    is_return
      ? `The line is claimed as the return of the payout ${bank_transfer_id}.`
      : `The line was offered as a transfer, under ${bank_transfer_id}.`,
  );
}

function assertReturn(line: Line, { amount, ordered_at }: Given): void {
  if (line.is_matched) throw new Problem("conflict", "The line is matched: the money is with us.");
  refuseOwnFunds(line);
  if (!line.has_payouts) throw new Problem("conflict", "The line is not of an account that pays out.");
  if (line.amount !== amount)
    throw new Problem("validation_failed", "The line is not an incoming one of exactly the amount of the payout.");
  if (ordered_at !== undefined && Date.parse(ordered_at) >= Date.parse(endOf(line.booked_on)))
    throw new Problem("validation_failed", `The line is of ${line.booked_on}, before the payout was ordered.`);
}

async function assertOnlyReturn(tx: Session, given: Given): Promise<void> {
  const credit = await creditOfSession(tx, given);
  if (credit !== undefined)
    throw new Problem("conflict", `The line has the session of ${credit}, which a customer was credited with.`);
  const account = await accountElsewhere(tx, given);
  if (account !== undefined)
    throw new Problem(
      "conflict",
      `The payout left from the account ${account}, at another bank than that of the line.`,
    );
  const other = await lineOfReturn(tx, given.reference);
  if (other !== undefined && other !== given.line)
    throw new Problem("conflict", `The line ${other} is claimed as the return of this payout.`);
  const booked = await readBookedReturn(tx, given);
  if (booked !== undefined)
    throw new Problem("conflict", `Our books have this return: match the line by hand with ${booked}, if it is that.`);
}
