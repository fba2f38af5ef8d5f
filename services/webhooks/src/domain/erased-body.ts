import { CollectionAttached, CollectionSuccess, ERASED, type Person } from "@collect/contracts";
import { z } from "zod";

/** Fields in the order in which they were written. */
const Fields = z.record(z.string(), z.unknown());
const CollectionEvent = z.union([CollectionSuccess, CollectionAttached]);
const ERASED_PAYER = { name: ERASED, account_number: null, bank_name: null };

/**
 * The body of a collection's event without the person: the bytes that the drafts in event.ts serialize from the erased facts, so
 * that an event recovered after a restore is the same. Of a payer, the name and the metadata of the merchant's own customer are
 * kept. A field that an earlier release did not write is not added.
 */
export function erasedBody(body: Buffer, kind: Person["kind"]): Buffer {
  const envelope = Fields.parse(JSON.parse(body.toString()));
  const { data } = CollectionEvent.parse(envelope);
  const isErased = kind === "customer" || data.customer_reference === null;
  const replaced = {
    payer_name: ERASED,
    ...(isErased && data.customer_name !== null && { customer_name: ERASED }),
    ...(data.payer && { payer: ERASED_PAYER }),
    ...(isErased && data.metadata && { metadata: {} }),
  };
  return Buffer.from(JSON.stringify({ ...envelope, data: { ...Fields.parse(envelope.data), ...replaced } }));
}
