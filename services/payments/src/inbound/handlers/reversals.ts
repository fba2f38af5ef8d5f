import { type Consumer, consumeByStatement, type Epochs } from "@collect/bus";
import {
  collectionReversed,
  type Fact,
  reversalPosted,
  reversalRecorded,
  type SessionSnapshot,
  sessionChanged,
} from "@collect/contracts";
import { type ByMode, type Pool, transaction } from "@collect/database";
import { keepEventNumbers, reversedKey } from "../../store/event-numbers.ts";
import { REVERSALS } from "../domain/decided.ts";
import { snapshotOf } from "../domain/session-view.ts";
import { reverseCollection } from "../use-cases/reverse-collection.ts";

/** They are rare, and each is a transaction of its own. */
const BATCH_MAX = 20;

/**
 * Records reversals, and publishes first times and repeats alike, with the sessions whose money it was: their payers are not asked for
 * the rest. While payments catches up after a restore they wait until the
 * collections are there: accounts drives them again.
 */
export function acceptReversals({ pools, epochs }: { pools: ByMode<Pool>; epochs: Epochs }): Consumer {
  return consumeByStatement(reversalPosted, { batchMax: BATCH_MAX }, async ({ publish }, posted) => {
    if (!epochs.isCurrent() && epochs.recoveryStep() !== REVERSALS) return;
    const reversed: Fact<typeof collectionReversed>[] = [];
    const changed: SessionSnapshot[] = [];
    for (const reversal of posted) {
      const done = await transaction(pools[reversal.merchant.mode], (tx) => reverseCollection(tx, reversal));
      if (done) reversed.push(done.fact);
      if (done?.session) changed.push(snapshotOf(done.session));
    }
    publish(sessionChanged, changed);
    publish(collectionReversed, reversed);
  });
}

/** The merchants' events about reversals are recorded: their numbers are kept for webhooks. */
export const acceptRecordedReversals = (): Consumer =>
  consumeByStatement(reversalRecorded, { batchMax: 100 }, ({ tx }, recorded) =>
    keepEventNumbers(
      tx,
      recorded.map(({ intakeId, ...event }) => ({ ...event, key: reversedKey(intakeId) })),
    ),
  );
