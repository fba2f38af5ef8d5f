import { isReferenceOf, Problem } from "@collect/contracts";

/** Whether this is a well-formed session reference. */
export const isReference = (text: string): boolean => isReferenceOf("pay", text);

/** Malformed or unknown: the same error with the same text. */
export const notFound = () => new Problem("not_found", "Nothing was found for this reference.");
