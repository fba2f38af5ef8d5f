import { type Consumer, consumeByStatement, type Epochs } from "@collect/bus";
import { type Fact, reversalPosted, suspenseReversed, transferReversed, unallocatedReversed } from "@collect/contracts";
import { type ByMode, type Pool, transaction } from "@collect/database";
import { REVERSALS } from "../domain/reversal.ts";
import { bookReversal, bookSuspenseReversal, ReversalRefused } from "../store/reversals.ts";
import { alarmIfTaken, type Posting } from "../use-cases/post-transactions.ts";

/** They are rare, and each is a transaction of its own. */
const BATCH_MAX = 20;

type Deps = Posting & { pools: ByMode<Pool>; epochs: Epochs };

/**
 * Undoes collections that the bank took back. While the ledger catches up after a restore they wait until transfers are booked,
 * which were promised the money first: accounts drives them again.
 */
export function postReversals({ pools, epochs, shard, log }: Deps): Consumer {
  return consumeByStatement(transferReversed, { batchMax: BATCH_MAX }, async ({ publish }, reversals) => {
    if (isTooEarly(epochs)) return;
    const booked: Fact<typeof reversalPosted>[] = [];
    for (const reversal of reversals) {
      const posted = await transaction(pools[reversal.merchant.mode], (tx) =>
        bookReversal(tx, reversal, { shard }),
      ).catch(raise(log, reversal));
      if (!posted) continue;
      const { fundedBy: _, ...fact } = reversal;
      const { fee, id: transactionId, postedAt } = posted;
      booked.push({ ...fact, fee, net: fact.amount - fee, transactionId, postedAt });
    }
    publish(reversalPosted, booked);
  });
}

/** Books what the bank took out of suspense. */
export function postSuspenseReversals({ pools, epochs, shard, log }: Deps): Consumer {
  return consumeByStatement(unallocatedReversed, { batchMax: BATCH_MAX }, async ({ publish }, reversals) => {
    if (isTooEarly(epochs)) return;
    const booked: Fact<typeof suspenseReversed>[] = [];
    for (const reversal of reversals) {
      const { intakeId, mode, amount } = reversal;
      const posted = await transaction(pools[mode], (tx) => bookSuspenseReversal(tx, reversal, { shard })).catch(
        raise(log, reversal),
      );
      if (posted) booked.push({ intakeId, mode, amount, transactionId: posted.id, postedAt: posted.postedAt });
    }
    publish(suspenseReversed, booked);
  });
}

function isTooEarly(epochs: Epochs): boolean {
  const step = epochs.recoveryStep();
  return step !== undefined && step !== REVERSALS;
}

/** A reversal that contradicts the books is a dead letter, which an alarm announces. */
const raise =
  (log: Posting["log"], { intakeId }: { intakeId: string }) =>
  (error: unknown): never => {
    if (error instanceof ReversalRefused) log.error({ alarm: "reversal_refused", intake_id: intakeId }, error.message);
    alarmIfTaken(log, error);
    throw error;
  };
