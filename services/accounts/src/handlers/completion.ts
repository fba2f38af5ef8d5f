import { type Consumer, consume } from "@collect/bus";
import { collectionRecorded, suspensePosted } from "@collect/contracts";
import { completeTransfers, completeUnallocated } from "../store/inbound-transfers.ts";

/** The end of the path: a transfer whose event is recorded, or whose money stands in suspense, is not driven any more. */
export const completion: Consumer[] = [
  consume(collectionRecorded, { batchMax: 300 }, ({ tx }, recorded) => completeTransfers(tx, recorded)),
  consume(suspensePosted, { batchMax: 300 }, ({ tx }, posted) =>
    completeUnallocated(
      tx,
      posted.map(({ intakeId }) => intakeId),
    ),
  ),
];
