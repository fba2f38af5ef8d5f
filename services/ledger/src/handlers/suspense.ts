import { type Consumer, consumeByStatement } from "@collect/bus";
import { suspensePosted, transferUnallocated } from "@collect/contracts";
import { suspenseTransaction } from "../domain/collection.ts";
import { BATCH_MAX, type Posting, postOrAlarm } from "../use-cases/post-transactions.ts";

/** Books money for an account without an owner. Its allocation follows as a transfer received from suspense. */
export function postSuspense({ shard, log }: Posting): Consumer {
  return consumeByStatement(transferUnallocated, { batchMax: BATCH_MAX }, async ({ tx, publish }, unallocated) => {
    const transactions = unallocated.map((transfer) => suspenseTransaction({ transfer, shard }));
    const posted = await postOrAlarm(tx, log, transactions);
    publish(
      suspensePosted,
      posted.map(({ key, mode, amount, id, postedAt }) => ({
        intakeId: key,
        mode,
        amount,
        transactionId: id,
        postedAt,
      })),
    );
  });
}
