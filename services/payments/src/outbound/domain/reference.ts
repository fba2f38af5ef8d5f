import { createHmac } from "node:crypto";
import { type MerchantScope, referenceOf } from "@collect/contracts";

/**
 * The id of a transfer: the same for ever for the same merchant, mode and merchant's reference, so that an order that comes
 * again to a restored database is the transfer that ledger and bank may know already. Every order that was refused leaves
 * its reference free, and the next is another try. Keyed, so that nobody can guess it from a merchant's reference.
 */
export function transferReference(
  key: string,
  { merchant, merchantReference, tries }: { merchant: MerchantScope; merchantReference: string; tries: number },
): string {
  const digest = createHmac("sha256", key)
    .update(JSON.stringify([merchant.id, merchant.mode, merchantReference, tries]))
    .digest();
  return referenceOf("trf", digest.subarray(0, 16));
}
