/** Public keys and signatures of operators, as packages/bus has them. */

/** The kind of a key that belongs to a user, before its 32 bytes: the text begins with U. */
const USER = 20 << 3;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The text of a public key: its kind, its bytes and a checksum, in Base32. */
export function nkeyOf(raw: Uint8Array): string {
  const bytes = [USER, ...raw];
  const sum = checksum(bytes);
  return toBase32([...bytes, sum & 255, sum >> 8]);
}

/** CRC-16 with the polynomial of XMODEM. */
function checksum(bytes: number[]): number {
  return bytes.reduce((sum, byte) => {
    let rest = sum ^ (byte << 8);
    for (let bit = 0; bit < 8; bit++) rest = rest & 0x8000 ? (rest << 1) ^ 0x1021 : rest << 1;
    return rest & 0xffff;
  }, 0);
}

/** Without padding. */
export function toBase32(bytes: ArrayLike<number>): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}

export type Order = {
  subject: string;
  /** The input as JSON: exactly what the services receive. */
  body: string;
  public_key: string;
  at: string;
  request_id: string;
  proposal?: string | undefined;
};

/** What an operator signs. */
export async function toBeSigned({ subject, body, public_key, at, request_id, proposal = "" }: Order) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body)));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const fields = ["collect.operator.v1", subject, hash, public_key, at, request_id, proposal];
  return new TextEncoder().encode(JSON.stringify(fields));
}
