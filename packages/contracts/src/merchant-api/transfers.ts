import { z } from "zod";
import { AccountNumber, BankCode, MerchantReference, Mode, Naira, Narration, PositiveNaira } from "../fields.ts";
import { listOf, Page, Timestamp } from "./lists.ts";

export const Bank = z.object({ code: BankCode, name: z.string(), type: z.string() });
export type Bank = z.output<typeof Bank>;
export const BankList = z.object({ data: z.array(Bank), mode: Mode });

export const ResolveAccount = z.object({ bank_code: BankCode, account_number: AccountNumber });
export const ResolvedAccount = z.object({
  bank_code: BankCode,
  bank_name: z.string(),
  account_number: AccountNumber,
  account_name: z.string(),
  mode: Mode,
});

/** `reference` is the idempotency key: the same again is the same transfer, with other values it is refused. */
export const CreateTransfer = z.object({
  amount: PositiveNaira,
  bank_code: BankCode,
  account_number: AccountNumber,
  reference: MerchantReference,
  narration: Narration.optional(),
});

export const TRANSFER_STATUSES = ["pending", "success", "failed", "reversed"] as const;
export const TransferStatus = z.enum(TRANSFER_STATUSES);
export type TransferStatus = z.infer<typeof TransferStatus>;

/** Money a merchant sends out of Settled to a bank account. */
export const Transfer = z.object({
  reference: z.string().meta({ examples: ["trf_4Hq8wZ1cTn5kYx7pRj2mVb"] }),
  merchant_reference: z.string(),
  status: TransferStatus,
  amount: Naira,
  fee: Naira,
  currency: z.literal("NGN"),
  bank_code: BankCode,
  bank_name: z.string(),
  account_number: AccountNumber,
  account_name: z.string(),
  narration: z.string().nullable(),
  failure_code: z.string().nullable(),
  failure_reason: z.string().nullable(),
  mode: Mode,
  created_at: Timestamp,
  completed_at: Timestamp.nullable(),
});
export type Transfer = z.output<typeof Transfer>;

export const ListTransfers = Page.extend({ status: z.enum([...TRANSFER_STATUSES, "all"]).default("all") });
export const TransferList = listOf(Transfer);
