import { type Bus, type Consumer, consumeByStatement, type Epochs, Later } from "@collect/bus";
import { collectionPosted, collectionRecorded, readIntakes, suspensePosted } from "@collect/contracts";
import type { Session } from "@collect/database";
import { completeTransfers, completeUnallocated } from "../store/inbound-transfers.ts";
import { learnTransfers, unknownTransfers } from "../store/recovery.ts";

/** The end of the path: a transfer whose event is recorded, or whose money stands in suspense, is not driven any more. */
export const completion = ({ bus, epochs }: { bus: Bus; epochs: Epochs }): Consumer[] => [
  consumeByStatement(collectionRecorded, { batchMax: 300 }, async ({ tx }, recorded) => {
    if (epochs.hasRecovered())
      await learnUnknown(
        bus,
        tx,
        recorded.map(({ intakeId }) => intakeId),
      );
    await completeTransfers(tx, recorded);
  }),
  consumeByStatement(suspensePosted, { batchMax: 300 }, ({ tx }, posted) =>
    completeUnallocated(
      tx,
      posted.map(({ intakeId }) => intakeId),
    ),
  ),
];

/** After a restore transfers come to their end that were on their way when their rows were lost. */
async function learnUnknown(bus: Bus, tx: Session, intakeIds: string[]): Promise<void> {
  const unknown = await unknownTransfers(tx, intakeIds);
  if (unknown.length === 0) return;
  const { intakes } = await bus.request(readIntakes, { intake_ids: unknown }).catch((cause) => {
    throw new Later("payments does not say what came", { cause });
  });
  await learnTransfers(
    tx,
    intakes.map((intake) => collectionPosted.data.parse(intake)),
  );
}
