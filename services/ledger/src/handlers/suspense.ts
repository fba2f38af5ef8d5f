import { consumeByStatement } from "@collect/bus";
import { suspensePosted, transferUnallocated } from "@collect/contracts";
import { suspenseTransaction } from "../domain/collection.ts";
import { BATCH_MAX, type Posting, postOrAlarm } from "./posting.ts";

/** Books money that nobody owns yet. Its allocation comes later, as a transfer received from suspense. */
export const postSuspense = ({ shard, log }: Posting) =>
  consumeByStatement(transferUnallocated, { batchMax: BATCH_MAX }, async ({ tx, publish }, unallocated) => {
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
