import { z } from "zod";

/** Text from a bank, sanitized so that it can be stored and displayed. */
export const cleanText = (text: string, maximum = 200): string =>
  text
    .slice(0, maximum)
    .replace(/[\p{Cc}\p{Cs}]/gu, " ")
    .trim();

/** The same as a schema. */
export const BankText = z.string().transform((text) => cleanText(text));
/** Text that may be missing or empty: null once parsed. */
export const OptionalBankText = z
  .string()
  .nullish()
  .transform((text) => cleanText(text ?? "") || null);
