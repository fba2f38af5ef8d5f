import { Problem } from "@collect/contracts";

/** `pay_` and 128 random bits in base58. */
const REFERENCE = /^pay_[1-9A-HJ-NP-Za-km-z]{22}$/;

/** Whether this can be the reference of a session at all. What cannot is refused without a read. */
export function isReference(text: string): boolean {
  return REFERENCE.test(text);
}

/** Malformed or unknown: one answer, in the same words. */
export const notFound = () => new Problem("not_found", "There is nothing under this reference.");
