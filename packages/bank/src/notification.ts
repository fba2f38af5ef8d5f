import { AccountNumber, Instant, instantOf, PositiveNaira } from "@collect/contracts";
import { z } from "zod";

/** Words of a bank: anything that can be stored and shown, no control characters. */
const text = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not contain control characters");

/** What a bank may leave out is null once parsed. */
const optional = (maximum: number) =>
  text(maximum)
    .nullish()
    .transform((value) => value ?? null);

/** A transfer into one of our accounts, as the partner bank posts it to `/bank/transfers` beside its signature. */
export const BankTransfer = z.object({
  /** The bank's own id of the transfer: a repeat with the same id is the same money. */
  id: z.string().regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,100}$/u, "must be 1 to 100 printable characters"),
  account_number: AccountNumber,
  amount: PositiveNaira,
  /** Any currency can be told; only naira can be credited. */
  currency: z.string().regex(/^[A-Za-z]{3}$/, "must be 3 letters"),
  payer: z.object({ name: text(200), account_number: optional(34), bank_name: optional(100) }),
  narration: optional(200),
  /** Any RFC 3339 time with an offset; UTC to the millisecond once parsed. */
  paid_at: Instant.transform(inUtc).refine((instant) => instant >= "2000", "must be a time of this millennium"),
});
export type BankTransfer = z.output<typeof BankTransfer>;

/** `2026-11-21T10:30:00.1239+01:00` to `2026-11-21T09:30:00.123+00:00`. Years beyond four digits sort before "2000". */
function inUtc(instant: string): string {
  return instantOf(new Date(instant));
}
