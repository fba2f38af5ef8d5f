/** A session, a transfer, a batch of transfers, an intake, or an event. */
type Prefix = "pay" | "trf" | "bat" | "int" | "evt";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** The prefix and 16 bytes in base58: 22 characters, none easily mistaken for another. */
export function referenceOf(prefix: Prefix, bytes: Uint8Array): string {
  return `${prefix}_${base58(bytes)}`;
}

/** Whether the text has the format of such a reference. Anything else is refused without a query. */
export function isReferenceOf(prefix: Prefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[1-9A-HJ-NP-Za-km-z]{22}$/.test(text.slice(prefix.length + 1));
}

/** The 16 bytes of such a reference; undefined if it has another format. */
export function bytesOfReference(prefix: Prefix, text: string): Uint8Array | undefined {
  if (!isReferenceOf(prefix, text)) return undefined;
  const digits = [...text.slice(prefix.length + 1)];
  let value = digits.reduce((total, digit) => total * 58n + BigInt(BASE58.indexOf(digit)), 0n);
  if (value >> 128n) return undefined;
  const bytes = new Uint8Array(16);
  for (let index = 15; index >= 0; index--) {
    bytes[index] = Number(value & 0xffn);
    value >>= 8n;
  }
  return bytes;
}

/** The largest power of 58 below 2^53: nine digits at a time are divided as numbers, which is much faster than as bigints. */
const CHUNK = 58n ** 9n;

function base58(bytes: Uint8Array): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  while (text.length < 22) {
    let chunk = Number(value % CHUNK);
    value /= CHUNK;
    for (let digit = 0; digit < 9; digit++) {
      text = BASE58[chunk % 58] + text;
      chunk = Math.floor(chunk / 58);
    }
  }
  return text.slice(-22);
}
