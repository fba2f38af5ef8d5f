/** Edits of a text beside what stands there once. */

export const before = (anchor: string, addition: string) => (text: string) => beside(text, anchor, addition + anchor);
export const after = (anchor: string, addition: string) => (text: string) => beside(text, anchor, anchor + addition);

function beside(text: string, anchor: string, whole: string): string {
  if (text.split(anchor).length !== 2) throw new Error(`not there once: ${anchor}`);
  return text.replace(anchor, () => whole);
}
