import { createHash } from "node:crypto";

/**
 * The idempotency key of a payer's form: the same form with the same fields is one payment, however often it is
 * submitted. A payer who goes back, changes the amount and submits again means another payment, although the key on
 * the page is the same.
 */
export function linkKey(form: {
  key: string;
  slug: string;
  amount: bigint | null;
  name: string;
  email: string;
}): string {
  const { key, slug, amount, name, email } = form;
  const digest = createHash("sha256")
    .update(JSON.stringify([key, slug, amount === null ? null : String(amount), name, email]))
    .digest();
  // The format of a UUID of version 8, whose content is application-defined.
  const bytes = digest.subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
