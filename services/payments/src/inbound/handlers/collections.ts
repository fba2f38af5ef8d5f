import { type Bus, type Consumer, consumeByStatement, type Epochs, RetryLater, slices } from "@collect/bus";
import { collectionPosted, collectionSucceeded, readDecisions, sessionChanged } from "@collect/contracts";
import { type ByMode, type Pool, readTestClocks, type Session, transaction } from "@collect/database";
import { COLLECTIONS, type Decision, matchAsDecided, UNDECIDED } from "../domain/decided.ts";
import { matchTransfers, type Tolerance } from "../domain/matching.ts";
import { collectionReference } from "../domain/reference.ts";
import { snapshotOf } from "../domain/session-view.ts";
import { findCandidates } from "../store/candidates.ts";
import { claimCollections, type NewCollection, readCollections } from "../store/collections.ts";
import { claimPayers } from "../store/payers.ts";
import { putOff } from "../store/undecided-collections.ts";
import { claimMatched, type Matching, type Posted, toSucceeded } from "../use-cases/claim-collections.ts";

type Deps = { pools: ByMode<Pool>; bus: Bus; epochs: Epochs } & Tolerance;

/**
 * Gives each collection its payer, its session and its public reference, once, and publishes first deliveries and
 * repeats alike. Collections that can match no session, which are most of them, take no lock.
 */
export function acceptCollections({ pools, bus, epochs, ...tolerance }: Deps): Consumer {
  return consumeByStatement(collectionPosted, { batchMax: 300 }, async ({ tx, publish }, received) => {
    const step = epochs.recoveryStep();
    const isCatchingUp = step === COLLECTIONS || step === UNDECIDED;
    if (!isCatchingUp) epochs.holdUntilCurrent();
    const decisions = isCatchingUp ? await decisionsOn(bus, received) : NONE;
    const posted = step === COLLECTIONS ? await putOffUndecided(tx, received, decisions) : received;
    if (posted.length === 0) return;
    const payerIds = await claimPayers(tx, posted);
    const clocks = await clocksOf(tx, posted);
    const all = posted.map((collection, index) => ({
      ...unmatched(collection, payerIds[index] as bigint),
      clockedAt: clocks.get(collection.merchant.id),
    }));

    async function claimAndPublish(collections: NewCollection[], sessionReferences: Iterable<string>, match: Matching) {
      const [first] = collections;
      if (!first) return;
      const sessions = { references: [...new Set(sessionReferences)], match };
      const { succeeded, changed } = await transaction(pools[first.merchant.mode], (own) =>
        claimMatched(own, collections, sessions),
      );
      publish(collectionSucceeded, succeeded);
      publish(sessionChanged, changed.map(snapshotOf));
    }

    const decided = all.flatMap((collection) => asDecided(collection, decisions.get(collection.intakeId)));
    const references = decided.flatMap(({ paymentReference }) => paymentReference ?? []);
    await claimAndPublish(decided, references, matchAsDecided);

    const undecided = all.filter(({ intakeId }) => !decisions.has(intakeId));
    const candidates = await findCandidates(tx, undecided, tolerance);
    const others = undecided.filter(({ intakeId }) => !candidates.has(intakeId));
    publish(collectionSucceeded, toSucceeded(others, await claimCollections(tx, others)));

    const matchable = undecided.filter(({ intakeId }) => candidates.has(intakeId));
    const match: Matching = (sessions, transfers) => matchTransfers(sessions, transfers, tolerance);
    await claimAndPublish(matchable, [...candidates.values()].flat(), match);
  });
}

const NONE: ReadonlyMap<string, Decision> = new Map();

/** The test clocks that are ahead of real time, by merchant. Live money is matched without any. */
async function clocksOf(tx: Session, posted: Posted[]): Promise<ReadonlyMap<string, string>> {
  const merchants = posted.flatMap(({ merchant }) => (merchant.mode === "test" ? [merchant.id] : []));
  return merchants.length === 0 ? new Map() : readTestClocks(tx, merchants);
}

/**
 * The decisions on these collections that merchants were notified of, by intake id. They are final, whatever this
 * database has lost.
 */
async function decisionsOn(bus: Bus, posted: Posted[]): Promise<ReadonlyMap<string, Decision>> {
  const decided = new Map<string, Decision>();
  for (const slice of slices(posted)) {
    const { decisions } = await bus
      .request(readDecisions, { intake_ids: slice.map(({ intakeId }) => intakeId) })
      .catch((cause) => {
        throw new RetryLater("webhooks did not report what it has recorded", { cause });
      });
    for (const decision of decisions) decided.set(decision.intake_id, decision);
  }
  return decided;
}

/**
 * Returns those that are decided or stored. The others wait: a session's money that is not repeated yet may have been its first, or may
 * have left it open for them.
 */
async function putOffUndecided(
  tx: Session,
  posted: Posted[],
  decisions: ReadonlyMap<string, Decision>,
): Promise<Posted[]> {
  const undecided = posted.filter(({ intakeId }) => !decisions.has(intakeId));
  const stored = await readCollections(
    tx,
    undecided.map(({ intakeId }) => intakeId),
  );
  const known = new Set(stored.map(({ intakeId }) => intakeId));
  const waiting = new Set(undecided.filter(({ intakeId }) => !known.has(intakeId)));
  await putOff(tx, [...waiting]);
  return posted.filter((each) => !waiting.has(each));
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
          metadata: decision.metadata ?? null,
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
  metadata: posted.metadata ?? {},
});
