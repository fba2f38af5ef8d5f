const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** 16 bytes as 22 characters that nobody confuses with each other. */
export function base58(bytes: Uint8Array): string {
  let value = bytes.reduce((total, byte) => total * 256n + BigInt(byte), 0n);
  let text = "";
  for (let place = 0; place < 22; place++) {
    text = BASE58[Number(value % 58n)] + text;
    value /= 58n;
  }
  return text;
}
