import { z } from "zod";
import { PositiveKobo } from "./fields.ts";

/** Fields of the facts that accounts publishes of what banks report. */

/** What the bank kept of an amount before it reached our account, its VAT apart; absent if it kept nothing. */
export const BankCharges = { bankFee: PositiveKobo.optional(), bankVat: PositiveKobo.optional() };

export const Source = z.object({
  bank: z.string(),
  bankTransferId: z.string(),
  narration: z.string().nullable(),
  /** Whether it was held in suspense first. */
  allocated: z.boolean(),
  ...BankCharges,
  /** The 30 digits by which banks trace a transfer (NIP); absent if the bank did not report them. */
  sessionId: z.string().optional(),
  /** Under which the bank settled it with us; absent if the bank did not report it. */
  settlementId: z.string().optional(),
});

/** Added and checked by the bus, over the fields named in `sealed`; absent from facts in flight of an older release. */
export const Mac = z.string().optional();
