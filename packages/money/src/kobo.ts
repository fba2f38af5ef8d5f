/** Money inside the system: a whole number of kobo (1 naira = 100 kobo). Naira exist only at the edges. */
export type Kobo = bigint;

/**
 * The largest amount of any movement of money: just under ten trillion naira.
 * Up to fifteen digits, a JSON number in naira with two decimals is exact in a double.
 */
export const MAX_KOBO: Kobo = 999_999_999_999_999n;

/**
 * The largest single payment that is processed automatically: ten billion naira. Above it test money is refused, and
 * real money is quarantined for review. So no balance can come near the limit of a BIGINT: see
 * docs/decisions/0019-amounts-and-test-volume-are-capped.md.
 */
export const PAYMENT_MAX_KOBO: Kobo = 1_000_000_000_000n;

const NAIRA = /^(0|[1-9]\d*)(?:\.(\d{1,2}))?$/;

/**
 * Kobo from naira on the wire: a number with at most two decimals, or the same as a string of digits.
 * Exact: it reads the shortest decimal form of the number and never multiplies a double.
 * Undefined for anything else (negative, NaN, three decimals, exponents, above MAX_KOBO).
 */
export function parseNaira(amount: number | string): Kobo | undefined {
  const match = NAIRA.exec(String(amount));
  if (!match) return undefined;
  const kobo = BigInt(match[1] ?? "0") * 100n + BigInt((match[2] ?? "").padEnd(2, "0"));
  return isKobo(kobo) ? kobo : undefined;
}

function isKobo(amount: bigint): boolean {
  return amount >= 0n && amount <= MAX_KOBO;
}

/** Naira as a JSON number, at most two decimals. The inverse of parseNaira; balances may be negative. */
export function naira(amount: Kobo): number {
  return Number(amount) / 100;
}

/** For people: ₦2,500.73. */
export function formatNaira(amount: Kobo): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${amount < 0n ? "-" : ""}₦${whole}.${digits.slice(-2)}`;
}

/** A share of an amount in basis points (1 = 0.01 %), rounded half up to the kobo. */
export function shareOf(amount: Kobo, basisPoints: number): Kobo {
  return (amount * BigInt(basisPoints) + 5_000n) / 10_000n;
}

/** A share of an amount in whole percent, rounded half up to the kobo. */
export function percentage(amount: Kobo, percent: number): Kobo {
  return shareOf(amount, percent * 100);
}
