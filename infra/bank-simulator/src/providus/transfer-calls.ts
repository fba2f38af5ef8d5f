import { parseNaira } from "@collect/money";
import { z } from "zod";

/** What the transfer service is called with. */

export const NipAccount = z.object({ accountNumber: z.string(), beneficiaryBank: z.string() });
export const OwnAccount = z.object({ accountNumber: z.string() });
const Order = z.object({
  transactionReference: z.string().min(1).max(100),
  transactionAmount: z
    .string()
    .transform((text) => Number(parseNaira(text) ?? 0n))
    .refine((amount) => amount > 0),
  currencyCode: z.literal("NGN"),
  narration: z.string(),
});
export const NipOrder = Order.extend({
  sourceAccountName: z.string().min(1),
  beneficiaryAccountName: z.string().min(1),
  beneficiaryAccountNumber: z.string(),
  beneficiaryBank: z.string(),
});
export const OwnOrder = Order.extend({ creditAccount: z.string(), debitAccount: z.string() });
export const Status = z.object({ transactionReference: z.string() });

export type OwnAccount = z.output<typeof OwnAccount>;
export type NipOrder = z.output<typeof NipOrder>;
export type OwnOrder = z.output<typeof OwnOrder>;
