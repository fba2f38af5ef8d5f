import { type Bus, type Consumer, consumeByStatement, type Epochs, RetryLater } from "@collect/bus";
import { collectionPosted, type Fact, readCollectionFacts, transferReceived } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import { collectionTransaction } from "../domain/collection.ts";
import { DEFAULT_FEE_BASIS_POINTS } from "../domain/fee.ts";
import { createFeeSchedules } from "../store/fee-schedules.ts";
import { BATCH_MAX, type Posting, postOrAlarm } from "../use-cases/post-transactions.ts";

/** Books money for merchants. Publishes the fact unchanged, plus what the ledger decided when it was first posted. */
export function postCollections({ shard, log, bus, epochs }: Posting & { bus: Bus; epochs: Epochs }): Consumer {
  const feeSchedules = createFeeSchedules();
  return consumeByStatement(transferReceived, { batchMax: BATCH_MAX }, async ({ tx, publish }, received) => {
    const merchantIds = received.map(({ merchant }) => merchant.id);
    const basisPoints = await feeSchedules(tx, merchantIds, DEFAULT_FEE_BASIS_POINTS);
    const decidedFees = epochs.recoveryStep() === undefined ? undefined : await feesOf(bus, received);
    const transactions = received.map((transfer) => {
      const feeBasisPoints = basisPoints.get(transfer.merchant.id) ?? DEFAULT_FEE_BASIS_POINTS;
      return {
        ...collectionTransaction({ transfer, feeBasisPoints, fee: decidedFees?.get(transfer.intakeId), shard }),
        transfer,
      };
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
}

/** The fees that payments has stored for these collections, by intake id: they were decided before a restore. */
async function feesOf(bus: Bus, received: Fact<typeof transferReceived>[]): Promise<Map<string, Kobo>> {
  const input = { intake_ids: received.map(({ intakeId }) => intakeId) };
  const { collections } = await bus.request(readCollectionFacts, input).catch((cause) => {
    throw new RetryLater("payments did not return the fees", { cause });
  });
  return new Map(collections.map(({ intakeId, fee }) => [intakeId, BigInt(fee)]));
}
