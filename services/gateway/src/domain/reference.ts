/** `pay_` and 128 random bits in base58, as payments makes them. */
const SESSION = /^pay_[1-9A-HJ-NP-Za-km-z]{22}$/;
const ADDRESSABLE = /^[A-Za-z0-9._:-]{1,100}$/;

/** Whether this can be the reference of a payment session at all. What cannot is refused before it is counted. */
export function isSessionReference(text: string): boolean {
  return SESSION.test(text);
}

/** Whether this can be any reference that stands in a path: all of ours and all that merchants may give. */
export function isAddressable(text: string): boolean {
  return ADDRESSABLE.test(text);
}
