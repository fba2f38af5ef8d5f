import { consumeByStatement } from "@collect/bus";
import { collectionPosted, collectionSucceeded, type Fact } from "@collect/contracts";
import { collectionReference } from "../domain/reference.ts";
import { type CollectionRow, claimCollections } from "../store/collections.ts";
import { claimPayers } from "../store/payers.ts";

type Posted = Fact<typeof collectionPosted>;

/** Gives each collection its public reference and its payer, once, and passes first times and repeats on alike. */
export const acceptCollections = consumeByStatement(
  collectionPosted,
  { batchMax: 300 },
  async ({ tx, publish }, posted) => {
    const payerIds = await claimPayers(tx, posted);
    const standing = await claimCollections(
      tx,
      posted.map((collection, index) => ({
        ...collection,
        payerId: payerIds[index] as bigint,
        reference: collectionReference(collection.intakeId),
      })),
    );
    publish(
      collectionSucceeded,
      posted.map((collection) => succeeded(collection, standing.get(collection.intakeId))),
    );
  },
);

function succeeded(posted: Posted, row: CollectionRow | undefined): Fact<typeof collectionSucceeded> {
  if (
    !row ||
    row.amount !== posted.amount ||
    row.merchantId !== posted.merchant.id ||
    row.mode !== posted.merchant.mode
  ) {
    throw new Error(`collection ${posted.intakeId} came again with another amount, merchant or mode`);
  }
  const { feeBasisPoints: _, transactionId: __, ...carried } = posted;
  const { reference, paymentReference, merchantReference } = row;
  return { ...carried, reference, paymentReference, merchantReference };
}
