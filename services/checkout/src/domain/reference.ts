import { isReferenceOf, Problem } from "@collect/contracts";

/** Whether this can be the reference of a session at all. */
export const isReference = (text: string): boolean => isReferenceOf("pay", text);

/** Malformed or unknown: one answer, in the same words. */
export const notFound = () => new Problem("not_found", "Nothing was found for this reference.");
