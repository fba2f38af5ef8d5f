const ADDRESSABLE = /^[A-Za-z0-9._:-]{1,120}$/;

/** Whether this can be any id or reference that stands in a path: all of ours and all that merchants may give. */
export function isAddressable(text: string): boolean {
  return ADDRESSABLE.test(text);
}
