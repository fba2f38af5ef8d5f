import { MAX_KOBO, parseNaira } from "@collect/money";

const BIGINT_MAX = 2n ** 63n - 1n;
const AMOUNT = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?(?:E(\d{1,2}))?$/;

/**
 * Kobo of an amount as banks write it: `2500.73`, `"2500.73"`, `"2,500.7"`, `"100.0000"` or, above ten million, Java's
 * `"1.0593E7"`. Undefined for anything else, such as a fraction of a kobo or a negative amount: never rounded. Real money is
 * never refused because of its size: what does not fit into a BIGINT is the largest amount that does, and a number above
 * MAX_KOBO, where JSON numbers are no longer exact, is the nearest.
 */
export function reportedKobo(amount: number | string): bigint | undefined {
  const kobo = typeof amount === "number" ? (parseNaira(amount) ?? inexactKobo(amount)) : exactKobo(amount.trim());
  return kobo !== undefined && kobo > BIGINT_MAX ? BIGINT_MAX : kobo;
}

function inexactKobo(naira: number): bigint | undefined {
  return naira > Number(MAX_KOBO) / 100 && Number.isFinite(naira) ? BigInt(Math.round(naira)) * 100n : undefined;
}

function exactKobo(text: string): bigint | undefined {
  const [, whole, fraction = "", exponent = "0"] = AMOUNT.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const shift = Number(exponent) + 2;
  const [inKobo, beyond] = [fraction.slice(0, shift).padEnd(shift, "0"), fraction.slice(shift)];
  return /^0*$/.test(beyond) ? BigInt(`${whole.replaceAll(",", "")}${inKobo}`) : undefined;
}
