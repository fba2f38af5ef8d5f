const ADDRESSABLE = /^[A-Za-z0-9._:-]{1,120}$/;

/** Whether the text has the format of an id or reference in a path: any of ours, and any that merchants can choose. */
export function isAddressable(text: string): boolean {
  return ADDRESSABLE.test(text);
}
