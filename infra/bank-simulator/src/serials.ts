import { createHash } from "node:crypto";

/** Nine digits derived from the seed. */
export function serialFrom(seed: string): string {
  const number = createHash("sha256").update(seed).digest().readBigUInt64BE() % 1_000_000_000n;
  return number.toString().padStart(9, "0");
}
