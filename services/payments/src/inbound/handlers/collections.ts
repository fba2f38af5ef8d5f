import { type Bus, consumeByStatement, type Epochs, Later } from "@collect/bus";
import { collectionPosted, collectionSucceeded, type Fact, readDecisions, sessionChanged } from "@collect/contracts";
import { type ByMode, type Pool, type Transaction, transaction } from "@collect/database";
import { COLLECTIONS, type Decision, matchAsDecided } from "../domain/decided.ts";
import { type Match, matchMoney, type Tolerance } from "../domain/matching.ts";
import { collectionReference } from "../domain/reference.ts";
import type { PaymentSession } from "../domain/session.ts";
import { nameOf, snapshotOf } from "../domain/session-view.ts";
import { findCandidates } from "../store/candidates.ts";
import {
  type CollectionRow,
  claimCollections,
  insertCollections,
  type NewCollection,
  readCollections,
} from "../store/collections.ts";
import { claimPayers } from "../store/payers.ts";
import { lockSessions, storeSessions } from "../store/sessions.ts";

type Deps = { pools: ByMode<Pool>; bus: Bus; epochs: Epochs } & Tolerance;
type Posted = Fact<typeof collectionPosted>;
type Succeeded = Fact<typeof collectionSucceeded>;
/** What the money does to the sessions, and which of them it is for. */
type Matching = (
  sessions: PaymentSession[],
  money: NewCollection[],
) => { matches: Match<NewCollection>[]; changed: PaymentSession[] };

/**
 * Gives each collection its payer, its session and its public reference, once, and passes first times and repeats on alike.
 * Money that can be for no session, mostly all of it, takes no lock.
 */
export const acceptCollections = ({ pools, bus, epochs, ...tolerance }: Deps) =>
  consumeByStatement(collectionPosted, { batchMax: 300 }, async ({ tx, publish }, given) => {
    const isCatchingUp = epochs.recoveryStep() === COLLECTIONS;
    if (!isCatchingUp) epochs.holdUntilCurrent();
    const payerIds = await claimPayers(tx, given);
    const all = given.map((collection, index) => unmatched(collection, payerIds[index] as bigint));
    const decisions = isCatchingUp ? await decisionsOn(bus, given) : NONE;
    const decided = all.flatMap((collection) => asDecided(collection, decisions.get(collection.intakeId)));
    const [one] = decided;
    if (one) {
      const sessions = [...new Set(decided.flatMap(({ paymentReference }) => paymentReference ?? []))];
      const stood = await transaction(pools[one.merchant.mode], (inOne) =>
        claimMatched(inOne, decided, { references: sessions, match: matchAsDecided }),
      );
      publish(collectionSucceeded, stood.succeeded);
      publish(sessionChanged, stood.changed.map(snapshotOf));
    }

    const collections = all.filter(({ intakeId }) => !decisions.has(intakeId));
    const candidates = await findCandidates(tx, collections, tolerance);
    const others = collections.filter(({ intakeId }) => !candidates.has(intakeId));
    publish(collectionSucceeded, asTheyStand(others, await claimCollections(tx, others)));

    const matchable = collections.filter(({ intakeId }) => candidates.has(intakeId));
    const [first] = matchable;
    if (!first) return;
    const references = [...new Set([...candidates.values()].flat())];
    const matched = await transaction(pools[first.merchant.mode], (inOne) =>
      claimMatched(inOne, matchable, {
        references,
        match: (sessions, money) => matchMoney(sessions, money, tolerance),
      }),
    );
    publish(collectionSucceeded, matched.succeeded);
    publish(sessionChanged, matched.changed.map(snapshotOf));
  });

const NONE: ReadonlyMap<string, Decision> = new Map();

/** What the merchants were sent of these collections, by intake id: it stands, whatever this database has lost of it. */
async function decisionsOn(bus: Bus, posted: Posted[]): Promise<ReadonlyMap<string, Decision>> {
  const { decisions } = await bus
    .request(readDecisions, { intake_ids: posted.map(({ intakeId }) => intakeId) })
    .catch((cause) => {
      throw new Later("webhooks does not say what it has recorded", { cause });
    });
  return new Map(decisions.map((decision) => [decision.intake_id, decision]));
}

const asDecided = (collection: NewCollection, decision: Decision | undefined): NewCollection[] =>
  decision
    ? [
        {
          ...collection,
          reference: decision.reference,
          paymentReference: decision.payment_reference,
          merchantReference: decision.merchant_reference,
          payerDetailsName: collection.customer ? null : decision.customer_name,
        },
      ]
    : [];

const unmatched = (posted: Posted, payerId: bigint): NewCollection => ({
  ...posted,
  payerId,
  reference: collectionReference(posted.intakeId),
  paymentReference: null,
  merchantReference: null,
  payerDetailsName: null,
});

/**
 * Under the locks of all sessions that may be meant: what is standing already is left as it is, the rest is matched in the
 * order in which it was received.
 */
async function claimMatched(
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
  if (inserted.length < fresh.length) throw new TwinWasFaster();
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

/** Somebody who saw no session for this money claimed it in between. The batch comes again, and finds it standing. */
class TwinWasFaster extends Error {
  /** A serialization failure, which passes by itself. */
  readonly code = "40001";
}

/** What is passed on is what stands in the rows, whoever wrote them. A repeat must be of the same money. */
function asTheyStand(collections: Posted[], rows: CollectionRow[]): Succeeded[] {
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
