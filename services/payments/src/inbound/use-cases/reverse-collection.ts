import type { collectionReversed, Fact, reversalPosted } from "@collect/contracts";
import type { Transaction } from "@collect/database";
import { reversalReference } from "../domain/reference.ts";
import type { PaymentSession } from "../domain/session.ts";
import { lockCollection } from "../store/attachments.ts";
import { type ReversalRow, readReversals, storeReversal } from "../store/reversals.ts";
import { lockSessions, readSessionsOf } from "../store/sessions.ts";

type Posted = Fact<typeof reversalPosted>;
/** With the session that the collection paid, as it is now. */
type Reversed = { fact: Fact<typeof collectionReversed>; session: PaymentSession | undefined };

/**
 * Records what the bank took back of a collection, once, under the locks of the collection and of the session that it paid.
 * Undefined while the collection is not there: after a restore it follows, and the reversal is driven again.
 */
export async function reverseCollection(tx: Transaction, posted: Posted): Promise<Reversed | undefined> {
  const { intakeId, creditId, merchant, amount } = posted;
  const collection = await lockCollection(tx, merchant, { intakeId: creditId });
  if (!collection) return undefined;
  const sessions = collection.paymentReference === null ? [] : [collection.paymentReference];
  await lockSessions(tx, sessions);
  await storeReversal(tx, posted, { reference: reversalReference(intakeId), collection });
  const [row] = await readReversals(tx, [intakeId]);
  if (
    row?.creditId !== creditId ||
    row.amount !== amount ||
    row.merchantId !== merchant.id ||
    row.mode !== merchant.mode
  )
    throw new Error(`reversal ${intakeId} came again with another amount, collection, merchant or mode`);
  return { fact: reversedFact(row), session: (await readSessionsOf(tx, sessions))[0] };
}

/** What it says was decided when it was recorded, whatever the collection is attached to since. */
export function reversedFact(row: ReversalRow): Fact<typeof collectionReversed> {
  const { merchantId, mode, reversedBefore, receivedAt: _, postedAt: __, source: ___, ...fact } = row;
  return {
    ...fact,
    merchant: { id: merchantId, mode },
    currency: "NGN",
    amountReversed: reversedBefore + row.amount,
  };
}
