const ADDRESSABLE = /^[A-Za-z0-9._:-]{1,100}$/;

/** Whether this can be any reference that stands in a path: all of ours and all that merchants may give. */
export function isAddressable(text: string): boolean {
  return ADDRESSABLE.test(text);
}
