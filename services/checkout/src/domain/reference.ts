import { isReferenceOf } from "@collect/contracts";

/** Whether this is a well-formed session reference. */
export const isReference = (text: string): boolean => isReferenceOf("pay", text);
