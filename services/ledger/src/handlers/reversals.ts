import { type Consumer, consumeByStatement, type Epochs } from "@collect/bus";
import { type Fact, reversalPosted, suspenseReversed, transferReversed, unallocatedReversed } from "@collect/contracts";
import { type ByMode, type Pool, transaction } from "@collect/database";
import { REVERSALS, suspenseReversalTransaction } from "../domain/reversal.ts";
import { bookReversal } from "../store/reversals.ts";
import { type Posting, postOrAlarm } from "../use-cases/post-transactions.ts";

/** They are rare, and each is a transaction of its own. */
const BATCH_MAX = 20;

type Deps = Posting & { pools: ByMode<Pool>; epochs: Epochs };

/**
 * Undoes collections that the bank took back. While the ledger catches up after a restore they wait until transfers are booked,
 * which were promised the money first: accounts drives them again.
 */
export function postReversals({ pools, epochs, shard }: Deps): Consumer {
  return consumeByStatement(transferReversed, { batchMax: BATCH_MAX }, async ({ publish }, reversals) => {
    const step = epochs.recoveryStep();
    if (step !== undefined && step !== REVERSALS) return;
    const booked: Fact<typeof reversalPosted>[] = [];
    for (const reversal of reversals) {
      const posted = await transaction(pools[reversal.merchant.mode], (tx) => bookReversal(tx, reversal, { shard }));
      if (!posted) continue;
      const { fundedBy: _, ...fact } = reversal;
      const { fee, id: transactionId, postedAt } = posted;
      booked.push({ ...fact, fee, net: fact.amount - fee, transactionId, postedAt });
    }
    publish(reversalPosted, booked);
  });
}

/** Books what the bank took out of suspense. */
export function postSuspenseReversals({ shard, log }: Posting): Consumer {
  return consumeByStatement(unallocatedReversed, { batchMax: BATCH_MAX }, async ({ tx, publish }, reversals) => {
    const posted = await postOrAlarm(
      tx,
      log,
      reversals.map((reversal) => ({ ...suspenseReversalTransaction({ reversal, shard }), reversal })),
    );
    publish(
      suspenseReversed,
      posted.map(({ reversal: { intakeId, mode, amount }, id, postedAt }) => ({
        ...{ intakeId, mode, amount, transactionId: id, postedAt },
      })),
    );
  });
}
