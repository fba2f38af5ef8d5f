/** A session, a transfer, or an intake. */
type Prefix = "pay" | "trf" | "int";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** The prefix and 16 bytes in base58: 22 characters, none easily mistaken for another. */
export function referenceOf(prefix: Prefix, bytes: Uint8Array): string {
  return `${prefix}_${base58(bytes)}`;
}

/** Whether the text has the format of such a reference. Anything else is refused without a query. */
export function isReferenceOf(prefix: Prefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[1-9A-HJ-NP-Za-km-z]{22}$/.test(text.slice(prefix.length + 1));
}

function base58(bytes: Uint8Array): string {
  let value = bytes.reduce((total, byte) => total * 256n + BigInt(byte), 0n);
  let text = "";
  for (let digit = 0; digit < 22; digit++) {
    text = BASE58[Number(value % 58n)] + text;
    value /= 58n;
  }
  return text;
}
