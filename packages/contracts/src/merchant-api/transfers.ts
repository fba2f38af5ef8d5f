import { z } from "zod";
import { AccountNumber, BankCode, MerchantReference, Mode, Naira, Narration, PositiveNaira } from "../fields.ts";
import { listOf, Page, Timestamp } from "./lists.ts";
import { ONE_PAGE, PAYOUT, SUPPLIER, SUPPLIER_NAMES, TRANSFER } from "./story.ts";

const TEST_BANK = { code: SUPPLIER.bank_code, name: SUPPLIER_NAMES.bank_name, type: "test_bank" };

export const Bank = z
  .object({ code: BankCode, name: z.string(), type: z.string() })
  .meta({ id: "Bank", examples: [TEST_BANK] });
export type Bank = z.output<typeof Bank>;
export const BankList = z.object({ data: z.array(Bank), mode: Mode }).meta({
  id: "BankList",
  examples: [
    { data: [TEST_BANK, { code: "058", name: "Guaranty Trust Bank", type: "deposit_money_bank" }], mode: "test" },
  ],
});

export const ResolveAccount = z
  .object({ bank_code: BankCode, account_number: AccountNumber })
  .meta({ examples: [SUPPLIER] });
export const ResolvedAccount = z
  .object({
    bank_code: BankCode,
    bank_name: z.string(),
    account_number: AccountNumber,
    account_name: z.string(),
    mode: Mode,
  })
  .meta({
    id: "ResolvedAccount",
    examples: [{ ...SUPPLIER, ...SUPPLIER_NAMES, mode: "test" }],
  });

/** `reference` is the idempotency key: a repeat returns the same transfer, and is refused if its values differ. */
export const CreateTransfer = z
  .object({
    amount: PositiveNaira,
    bank_code: BankCode,
    account_number: AccountNumber,
    reference: MerchantReference,
    narration: Narration.optional(),
  })
  .meta({ examples: [PAYOUT] });

export const TRANSFER_STATUSES = ["pending", "success", "failed", "reversed"] as const;
export const TransferStatus = z.enum(TRANSFER_STATUSES);
export type TransferStatus = z.infer<typeof TransferStatus>;

/** Money that a merchant sends from Settled to a bank account. */
export const Transfer = z
  .object({
    reference: z.string().meta({ examples: [TRANSFER.reference] }),
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
  })
  .meta({ id: "Transfer", examples: [TRANSFER] });
export type Transfer = z.output<typeof Transfer>;

export const ListTransfers = Page.extend({ status: z.enum([...TRANSFER_STATUSES, "all"]).default("all") });
export const TransferList = listOf(Transfer).meta({
  id: "TransferList",
  examples: [{ data: [TRANSFER], ...ONE_PAGE }],
});
