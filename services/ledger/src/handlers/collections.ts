import { type Bus, type Consumer, consumeByStatement, type Epochs, Later } from "@collect/bus";
import { collectionPosted, type Fact, readCollectionFacts, transferReceived } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import { collectionTransaction } from "../domain/collection.ts";
import { DEFAULT_FEE_BASIS_POINTS } from "../domain/fee.ts";
import { createFeeSchedules } from "../store/fee-schedules.ts";
import { BATCH_MAX, type Posting, postOrAlarm } from "../use-cases/post-transactions.ts";

/** Books money for merchants. The fact goes on as it came, with what the ledger decided about it the first time. */
export function postCollections({ shard, log, bus, epochs }: Posting & { bus: Bus; epochs: Epochs }): Consumer {
  const feeSchedules = createFeeSchedules();
  return consumeByStatement(transferReceived, { batchMax: BATCH_MAX }, async ({ tx, publish }, received) => {
    const merchantIds = received.map(({ merchant }) => merchant.id);
    const basisPoints = await feeSchedules(tx, merchantIds, DEFAULT_FEE_BASIS_POINTS);
    const known = epochs.recoveryStep() === undefined ? undefined : await feesOf(bus, received);
    const transactions = received.map((transfer) => {
      const feeBasisPoints = basisPoints.get(transfer.merchant.id) ?? DEFAULT_FEE_BASIS_POINTS;
      return {
        ...collectionTransaction({ transfer, feeBasisPoints, fee: known?.get(transfer.intakeId), shard }),
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

/** The fees that payments has of these collections, by intake id: what was decided before a restore. */
async function feesOf(bus: Bus, received: Fact<typeof transferReceived>[]): Promise<Map<string, Kobo>> {
  const asked = { intake_ids: received.map(({ intakeId }) => intakeId) };
  const { collections } = await bus.request(readCollectionFacts, asked).catch((cause) => {
    throw new Later("payments does not say what the fees were", { cause });
  });
  return new Map(collections.map(({ intakeId, fee }) => [intakeId, BigInt(fee)]));
}
