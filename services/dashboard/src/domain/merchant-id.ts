const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `mer_` and 16 bytes encoded as 22 letters and digits. */
export function newMerchantId(bytes: Uint8Array): string {
  let value = bytes.reduce((total, byte) => total * 256n + BigInt(byte), 0n);
  let text = "";
  for (let place = 0; place < 22; place++) {
    text = BASE62[Number(value % 62n)] + text;
    value /= 62n;
  }
  return `mer_${text}`;
}
