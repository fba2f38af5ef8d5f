import { isStorable } from "./page.ts";

/** A search text as the statements of the stores take it: null where it cannot be that. */
export type Sought = {
  /** As typed. */
  text: string;
  /** The least and the greatest amount, in kobo. */
  amounts: { from: bigint; to: bigint } | null;
};

const AMOUNT = /^(?:₦|NGN)?\s*(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,2}))?$/i;

/**
 * What a person may mean. Kobo that were not typed can be any, because a session asks for an amount with kobo of its own: 2500
 * finds ₦2,500.73, and 2500.00 does not.
 */
export function soughtOf(typed: string): Sought | undefined {
  const text = typed.normalize("NFC").replace(/ +/g, " ");
  if (!isStorable(text)) return undefined;
  const [, naira, decimals = ""] = AMOUNT.exec(text) ?? [];
  if (naira === undefined) return { text, amounts: null };
  const whole = BigInt(naira.replaceAll(",", "")) * 100n;
  const amounts = {
    from: whole + BigInt(decimals.padEnd(2, "0")),
    to: whole + BigInt(decimals.padEnd(2, "9")),
  };
  return { text, amounts };
}

/** The same for a list, where text that nothing can contain finds nothing. */
export const soughtInList = (typed: string): Sought => soughtOf(typed) ?? { text: "\uFFFD", amounts: null };
