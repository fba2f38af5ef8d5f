import { consumeByStatement } from "@collect/bus";
import { collectionPosted, transferReceived } from "@collect/contracts";
import { collectionTransaction } from "../domain/collection.ts";
import { DEFAULT_FEE_BASIS_POINTS } from "../domain/fee.ts";
import { createFeeSchedules } from "../store/fee-schedules.ts";
import { BATCH_MAX, type Posting, postOrAlarm } from "./posting.ts";

/** Books money for merchants. The fact goes on as it came, with what the ledger decided about it the first time. */
export const postCollections = ({ stripe, log }: Posting) => {
  const feeSchedules = createFeeSchedules();
  return consumeByStatement(transferReceived, { batchMax: BATCH_MAX }, async ({ tx, publish }, received) => {
    const merchantIds = received.map(({ merchant }) => merchant.id);
    const basisPoints = await feeSchedules(tx, merchantIds, DEFAULT_FEE_BASIS_POINTS);
    const transactions = received.map((transfer) => {
      const feeBasisPoints = basisPoints.get(transfer.merchant.id) ?? DEFAULT_FEE_BASIS_POINTS;
      return { ...collectionTransaction({ transfer, feeBasisPoints, stripe }), transfer };
    });
    const posted = await postOrAlarm(tx, log, transactions);
    publish(
      collectionPosted,
      posted.map(({ transfer: { fundedBy: _, ...intake }, feeBasisPoints, fee, id, postedAt }) => ({
        ...intake,
        feeBasisPoints,
        fee,
        net: intake.amount - fee,
        transactionId: id,
        postedAt,
      })),
    );
  });
};
