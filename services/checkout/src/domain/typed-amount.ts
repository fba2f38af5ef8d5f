import { type Kobo, parseNaira } from "@collect/money";

const TYPED = /^(?:₦\s?)?(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,2})?$/;

/**
 * Parses an amount as people type it: digits, optionally with commas between thousands, and at most two decimals. A
 * comma anywhere else is ambiguous and rejected: 2,50 may mean 250 or 2.50.
 */
export function typedAmount(text: string): Kobo | undefined {
  const [, whole = "", decimals = ""] = TYPED.exec(text.trim()) ?? [];
  const kobo = parseNaira(`${whole.replaceAll(",", "").replace(/^0+(?=\d)/, "")}${decimals}`);
  return kobo !== undefined && kobo > 0n ? kobo : undefined;
}
