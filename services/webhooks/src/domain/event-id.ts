import { createHash } from "node:crypto";
import { bytesOfReference, type MerchantScope, referenceOf } from "@collect/contracts";

/**
 * The id of an event, unique over all merchants: half of it says whose it is, the other half is its sequence number. A restored
 * database therefore gives it the same id, and an id is found without an index.
 */
export function eventId(merchant: MerchantScope, sequence: bigint): string {
  const bytes = Buffer.alloc(16, ownerOf(merchant));
  bytes.writeBigUInt64BE(sequence, OWNER_BYTES);
  return referenceOf("evt", bytes);
}

/** The sequence number in an id of one of this merchant's events; undefined for any other text. */
export function sequenceOf(merchant: MerchantScope, id: string): bigint | undefined {
  const bytes = Buffer.from(bytesOfReference("evt", id) ?? []);
  if (!bytes.subarray(0, OWNER_BYTES).equals(ownerOf(merchant))) return undefined;
  const sequence = bytes.readBigUInt64BE(OWNER_BYTES);
  return sequence <= SEQUENCE_MAX ? sequence : undefined;
}

const OWNER_BYTES = 8;
/** Of a bigint in PostgreSQL. */
const SEQUENCE_MAX = 2n ** 63n - 1n;

const ownerOf = ({ id, mode }: MerchantScope): Buffer =>
  createHash("sha256").update(`${mode}:${id}`).digest().subarray(0, OWNER_BYTES);
