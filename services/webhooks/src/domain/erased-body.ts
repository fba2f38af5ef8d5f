import { CollectionSuccess, ERASED, type Person } from "@collect/contracts";

/**
 * The body of a collection's event without the person: the bytes that `collectionSuccess` serializes from the erased facts, so
 * that an event recovered after a restore is the same. Of a payer, the name of the merchant's own customer is kept.
 */
export function erasedBody(body: Buffer, kind: Person["kind"]): Buffer {
  const envelope: unknown = JSON.parse(body.toString());
  const { data } = CollectionSuccess.parse(envelope);
  const isErased = kind === "customer" || data.customer_reference === null;
  const replaced = new Map<string, string>([["payer_name", ERASED]]);
  if (isErased && data.customer_name !== null) replaced.set("customer_name", ERASED);
  return Buffer.from(JSON.stringify(envelope, (field, value: unknown) => replaced.get(field) ?? value));
}
