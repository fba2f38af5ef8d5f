/** What a reference is of: a session, a transfer, the intake of money. */
type Prefix = "pay" | "trf" | "int";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** `pay_` and 16 bytes as 22 characters that a reader does not confuse with each other. */
export function referenceOf(prefix: Prefix, bytes: Uint8Array): string {
  return `${prefix}_${base58(bytes)}`;
}

/** Whether this can be a reference of the kind at all. What cannot is refused without a read. */
export function isReferenceOf(prefix: Prefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[1-9A-HJ-NP-Za-km-z]{22}$/.test(text.slice(prefix.length + 1));
}

function base58(bytes: Uint8Array): string {
  let value = bytes.reduce((total, byte) => total * 256n + BigInt(byte), 0n);
  let text = "";
  for (let place = 0; place < 22; place++) {
    text = BASE58[Number(value % 58n)] + text;
    value /= 58n;
  }
  return text;
}
