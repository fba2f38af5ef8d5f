import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The code that a user is mailed before setting up a first second factor. It is derived from its occasion, so that no table holds
 * it, and 8 digits are enough: it belongs to one session, works once and bears few attempts.
 */
export function enrolmentCode(secret: string, occasion: string): string {
  const derived = createHmac("sha256", secret).update(`enrolment code ${occasion}`).digest();
  return String(derived.readBigUInt64BE() % 100_000_000n).padStart(8, "0");
}

/** `4821 7730`, as people read it. */
export const spaced = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;

/** Whether it is the code of this occasion, under any secret that is valid at present. */
export function isCodeOf(secrets: readonly string[], occasion: string, given: string): boolean {
  const code = Buffer.from(given.replaceAll(/[\s-]/g, ""));
  return secrets.some((secret) => {
    const expected = Buffer.from(enrolmentCode(secret, occasion));
    return expected.length === code.length && timingSafeEqual(expected, code);
  });
}
