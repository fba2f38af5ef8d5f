import { createHmac } from "node:crypto";
import { type MerchantScope, referenceOf } from "@collect/contracts";
import type { FileLine } from "./batch-file.ts";

/**
 * The id of a transfer, derived from merchant, mode and the merchant's reference. An order that is repeated to a
 * restored database is therefore the transfer that the ledger and the bank may already know. A refused order leaves
 * its reference free, and the next order is another attempt with another id. The derivation is keyed, so that an id
 * cannot be guessed from a merchant's reference.
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

/** Recognizes an account in the merchant's log of enquiries, which does not keep its number. */
export function accountKey(
  key: string,
  { id, mode }: MerchantScope,
  { bank_code, account_number }: { bank_code: string; account_number: string },
): string {
  const values = ["account", id, mode, bank_code, account_number];
  return createHmac("sha256", key).update(JSON.stringify(values)).digest("base64url").slice(0, 22);
}

/** The id of a file of transfers, derived from its lines: the same lines are the same batch, however often and by however many they are sent. */
export function batchReference(key: string, { id, mode }: MerchantScope, lines: readonly FileLine[]): string {
  const values = lines.map(({ faults: _faults, amount, ...line }) => ({ ...line, amount: amount?.toString() ?? null }));
  const digest = createHmac("sha256", key)
    .update(JSON.stringify(["batch", id, mode, values]))
    .digest();
  return referenceOf("bat", digest.subarray(0, 16));
}

/** The reference of a line's transfer, where the file has none: a constraint says the same. */
export const lineReference = (batch: string, line: number): string => `${batch}-${line}`;
