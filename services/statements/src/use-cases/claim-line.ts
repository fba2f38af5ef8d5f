import {
  type claimLine as claim,
  conflictIn,
  type Input,
  lateCreditOf,
  Problem,
  type Result,
} from "@collect/contracts";
import { isUniqueViolation, type Pool, type Session, transaction } from "@collect/database";
import { feeMax } from "../domain/offered-fee.ts";
import { sentAt } from "../domain/session-id.ts";
import { lockBankAccount } from "../store/bank-accounts.ts";
import { readCredit } from "../store/missing-credits.ts";
import { readOffer, readReported, readSameSession, storeOffer } from "../store/offers.ts";
import { existingLine, type Line, refuseOwnFunds } from "./existing-line.ts";
import type { Refresh } from "./refresh.ts";

type Given = Input<typeof claim>;

/**
 * Gives a line that nothing is known of away under one id, for ever: the same offer again is the same, and another one is refused, as is one
 * whose line was matched with another transfer meanwhile. What was reported by now is read before: if it is the line's, as after a restore
 * of this database, the offer only says so.
 */
export async function claimLine(
  { pool, refresh }: { pool: Pool; refresh: Refresh },
  given: Given,
): Promise<Result<typeof claim>> {
  await refresh();
  return transaction(pool, async (tx) => {
    const { account } = await existingLine(tx, given.line);
    await lockBankAccount(tx, account);
    const line = await existingLine(tx, given.line);
    assertReceived(line);
    const offer = await readOffer(tx, given.line);
    const reported = await readReported(tx, given.line, given);
    if (offer) {
      assertSame(offer, given);
      // Between the offer and its repeat the bank has reported it under another id.
      if (line.is_matched && !reported) throw new Problem("conflict", "The line is matched with another transfer.");
    } else {
      assertOpen(line, given);
      await assertNotKnown(tx, given, reported);
    }
    const offered_at = offer?.offered_at ?? (await storeOffer(tx, { ...given, is_return: false }));
    const { bank, amount, session_id, narration, booked_on } = line;
    return { bank, amount, session_id, narration, paid_at: sentAt(session_id, booked_on), offered_at };
  }).catch((cause) => {
    if (!isUniqueViolation(cause)) throw cause;
    throw new Problem("conflict", "Another line was offered under this id.", { cause });
  });
}

function assertReceived({ amount }: Line): void {
  if (amount <= 0n) throw new Problem("conflict", "The line is no money that was received.");
}

function assertOpen(line: Line, { amount, is_confirmed }: Given): void {
  if (line.is_matched) throw new Problem("conflict", "The line is matched: the money is with us.");
  refuseOwnFunds(line);
  const kept = amount - line.amount;
  if (kept < 0n || (!is_confirmed && kept > feeMax(line.amount, amount)))
    throw new Problem(
      "validation_failed",
      "The amount is that of the line, with a fee that the bank kept of it: up to 5 % and ₦1,000, or up to ₦100.",
    );
}

/** A transfer that was taken back as never come is credited under the id that says so, and no other. */
async function assertNotKnown(tx: Session, given: Given, reported: Awaited<ReturnType<typeof readReported>>) {
  const late = lateCreditOf(given.bank_transfer_id);
  if (late !== undefined && !(await isTakenBack(tx, late)))
    throw new Problem("conflict", `${late} was not taken back as never come, so it has not come late.`);
  const sameSession = late === undefined && (await readSameSession(tx, given.line, given.bank_transfer_id));
  const known = reported && !reported.is_free ? reported.key : sameSession;
  if (!known) return;
  if (await isTakenBack(tx, known)) throw cameLate(known);
  const found = sameSession === known ? "the line's session under another id" : "this id";
  throw handOnly(`The bank has reported ${found}`, known);
}

const isTakenBack = async (tx: Session, key: string) => (await readCredit(tx, key))?.is_taken_back ?? false;

const cameLate = (key: string) =>
  conflictIn(
    "line",
    "credit_never_came",
    `${key} was taken back as never come: if this is its line, credit it as that, and do not offer it.`,
  );

/** Under yet another id it would be credited twice. */
const handOnly = (found: string, key: string) =>
  new Problem("conflict", `${found}: match the line by hand with ${key}, and do not offer it under another id.`);

type Offer = NonNullable<Awaited<ReturnType<typeof readOffer>>>;

function assertSame(offer: Offer, given: Given): void {
  if (offer.is_return)
    throw new Problem("conflict", `The line is claimed as the return of the payout ${offer.bank_transfer_id}.`);
  const isSame =
    offer.bank_transfer_id === given.bank_transfer_id &&
    offer.account_number === given.account_number &&
    offer.amount === given.amount;
  if (!isSame) throw new Problem("conflict", `The line was offered already, under ${offer.bank_transfer_id}.`);
}
