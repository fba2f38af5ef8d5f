import { type Consumer, consumeByStatement } from "@collect/bus";
import { collectionRecorded, suspensePosted } from "@collect/contracts";
import { completeTransfers, completeUnallocated } from "../store/inbound-transfers.ts";

/** The end of the path: a transfer whose event is recorded, or whose money stands in suspense, is not driven any more. */
export const completion: Consumer[] = [
  consumeByStatement(collectionRecorded, { batchMax: 300 }, ({ tx }, recorded) => completeTransfers(tx, recorded)),
  consumeByStatement(suspensePosted, { batchMax: 300 }, ({ tx }, posted) =>
    completeUnallocated(
      tx,
      posted.map(({ intakeId }) => intakeId),
    ),
  ),
];
