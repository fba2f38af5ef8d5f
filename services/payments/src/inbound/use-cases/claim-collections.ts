import type { collectionPosted, collectionSucceeded, Fact } from "@collect/contracts";
import type { Transaction } from "@collect/database";
import type { Match } from "../domain/matching.ts";
import type { PaymentSession } from "../domain/session.ts";
import { nameOf } from "../domain/session-view.ts";
import { type CollectionRow, insertCollections, type NewCollection, readCollections } from "../store/collections.ts";
import { lockSessions, storeSessions } from "../store/sessions.ts";

export type Posted = Fact<typeof collectionPosted>;
type Unmatched = Omit<Posted, "metadata">;
export type Succeeded = Fact<typeof collectionSucceeded>;
/** Matches collections to sessions. Returns the matches and the sessions that changed. */
export type Matching = (
  sessions: PaymentSession[],
  collections: NewCollection[],
) => { matches: Match<NewCollection>[]; changed: PaymentSession[] };

/**
 * Runs under the locks of all candidate sessions. Collections that are already recorded are left unchanged; the others
 * are matched in the order in which they were received.
 */
export async function claimMatched(
  tx: Transaction,
  collections: NewCollection[],
  { references, match }: { references: string[]; match: Matching },
): Promise<{ succeeded: Succeeded[]; changed: PaymentSession[] }> {
  const sessions = await lockSessions(tx, references);
  const recorded = await readCollections(
    tx,
    collections.map(({ intakeId }) => intakeId),
  );
  const known = new Set(recorded.map(({ intakeId }) => intakeId));
  const { matches, changed } = match(
    sessions,
    collections.filter(({ intakeId }) => !known.has(intakeId)),
  );
  const unclaimed = matches.map(({ transfer, session, reference }) =>
    session ? matched(transfer, session, reference) : transfer,
  );
  const inserted = await insertCollections(tx, unclaimed);
  if (inserted.length < unclaimed.length) throw new ConcurrentDuplicate();
  const stored = await storeSessions(tx, changed);
  return { succeeded: toSucceeded(collections, [...recorded, ...inserted]), changed: stored };
}

const matched = (collection: NewCollection, session: PaymentSession, reference: string): NewCollection => ({
  ...collection,
  reference,
  paymentReference: session.reference,
  merchantReference: session.merchantReference,
  payerDetailsName: nameOf(session),
  metadata: session.metadata,
});

/**
 * A concurrent duplicate saw no session for one of these collections and claimed it in between. The batch is
 * redelivered and then finds that collection recorded.
 */
class ConcurrentDuplicate extends Error {
  /** serialization_failure: the caller retries. */
  readonly code = "40001";
}

/**
 * Publishes what the rows contain, whichever delivery wrote them. A repeat must have the same amount, merchant and
 * mode.
 */
export function toSucceeded(collections: Unmatched[], rows: CollectionRow[]): Succeeded[] {
  const recorded = new Map(rows.map((row) => [row.intakeId, row]));
  return collections.map((collection) => succeeded(collection, recorded.get(collection.intakeId)));
}

function succeeded(posted: Unmatched, row: CollectionRow | undefined): Succeeded {
  if (
    !row ||
    row.amount !== posted.amount ||
    row.merchantId !== posted.merchant.id ||
    row.mode !== posted.merchant.mode
  ) {
    throw new Error(`collection ${posted.intakeId} came again with another amount, merchant or mode`);
  }
  const { intakeId, merchant, accountNumber, customer, amount, fee, net, currency, payer } = posted;
  const { paidAt, receivedAt, postedAt } = posted;
  const { reference, paymentReference, merchantReference, metadata } = row;
  return {
    ...{ intakeId, merchant, accountNumber, customer, amount, fee, net, currency, payer, paidAt, receivedAt, postedAt },
    ...{ reference, paymentReference, merchantReference, payerDetailsName: customer ? null : row.customerName },
    ...(metadata && { metadata }),
  };
}
