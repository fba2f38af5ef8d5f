import type { collectionPosted, collectionSucceeded, Fact } from "@collect/contracts";
import type { Transaction } from "@collect/database";
import type { Match } from "../domain/matching.ts";
import type { PaymentSession } from "../domain/session.ts";
import { nameOf } from "../domain/session-view.ts";
import { type CollectionRow, insertCollections, type NewCollection, readCollections } from "../store/collections.ts";
import { lockSessions, storeSessions } from "../store/sessions.ts";

export type Posted = Fact<typeof collectionPosted>;
export type Succeeded = Fact<typeof collectionSucceeded>;
/** What the money does to the sessions, and which of them it is for. */
export type Matching = (
  sessions: PaymentSession[],
  money: NewCollection[],
) => { matches: Match<NewCollection>[]; changed: PaymentSession[] };

/**
 * Under the locks of all sessions that may be meant: what is standing already is left as it is, the rest is matched in the
 * order in which it was received.
 */
export async function claimMatched(
  tx: Transaction,
  collections: NewCollection[],
  { references, match }: { references: string[]; match: Matching },
): Promise<{ succeeded: Succeeded[]; changed: PaymentSession[] }> {
  const sessions = await lockSessions(tx, references);
  const standing = await readCollections(
    tx,
    collections.map(({ intakeId }) => intakeId),
  );
  const known = new Set(standing.map(({ intakeId }) => intakeId));
  const { matches, changed } = match(
    sessions,
    collections.filter(({ intakeId }) => !known.has(intakeId)),
  );
  const fresh = matches.map(({ money, session, reference }) => (session ? matched(money, session, reference) : money));
  const inserted = await insertCollections(tx, fresh);
  if (inserted.length < fresh.length) throw new ClaimedMeanwhile();
  const stored = await storeSessions(tx, changed);
  return { succeeded: asTheyStand(collections, [...standing, ...inserted]), changed: stored };
}

const matched = (collection: NewCollection, session: PaymentSession, reference: string): NewCollection => ({
  ...collection,
  reference,
  paymentReference: session.reference,
  merchantReference: session.merchantReference,
  payerDetailsName: nameOf(session),
});

/** A concurrent duplicate, which saw no session for this money, was claimed in between. The batch comes again, and finds it standing. */
class ClaimedMeanwhile extends Error {
  /** A serialization failure, which passes by itself. */
  readonly code = "40001";
}

/** What is passed on is what stands in the rows, whoever wrote them. A repeat must be of the same money. */
export function asTheyStand(collections: Posted[], rows: CollectionRow[]): Succeeded[] {
  const standing = new Map(rows.map((row) => [row.intakeId, row]));
  return collections.map((collection) => succeeded(collection, standing.get(collection.intakeId)));
}

function succeeded(posted: Posted, row: CollectionRow | undefined): Succeeded {
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
  const { reference, paymentReference, merchantReference } = row;
  return {
    ...{ intakeId, merchant, accountNumber, customer, amount, fee, net, currency, payer, paidAt, receivedAt, postedAt },
    ...{ reference, paymentReference, merchantReference, payerDetailsName: customer ? null : row.customerName },
  };
}
