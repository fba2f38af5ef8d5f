import { z } from "zod";
import { AccountNumber, CustomerReference, Mode, Naira, NairaBalance, Name, PositiveNaira } from "./fields.ts";

/** The shapes a merchant's developer sees, exactly as they stand in the JSON. */

/** Times of the merchant API: RFC 3339, numeric offset, milliseconds. */
const Timestamp = z.iso.datetime({ offset: true }).meta({ examples: ["2026-11-21T09:30:00.123+00:00"] });

export const CustomerAccount = z.object({
  customer_reference: CustomerReference,
  customer_name: z.string(),
  account_number: AccountNumber,
  account_name: z.string(),
  bank_name: z.string(),
  status: z.enum(["active", "retired"]),
  mode: Mode,
  created_at: Timestamp,
});
export type CustomerAccount = z.output<typeof CustomerAccount>;

export const IssueCustomerAccount = z.object({ customer_reference: CustomerReference, customer_name: Name.optional() });

/** Larger limits are clamped and the effective value is echoed. Query strings are digits; anything else is refused. */
const wholeNumber = (minimum: number) =>
  z.coerce
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(minimum));
export const Page = z.object({
  limit: wholeNumber(1)
    .default(20)
    .transform((limit) => Math.min(limit, 100)),
  offset: wholeNumber(0).default(0),
});
export const ListCustomerAccounts = Page.extend({ status: z.enum(["active", "retired", "all"]).default("active") });

export const CustomerAccountList = z.object({
  data: z.array(CustomerAccount),
  limit: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
  mode: Mode,
});

export const Balance = z.object({
  mode: Mode,
  currency: z.literal("NGN"),
  collected: NairaBalance,
  settled: NairaBalance,
  as_of: Timestamp,
  ledger_sequence: z.int(),
});

export const OUTCOMES = ["paid", "underpaid", "overpaid", "expired"] as const;
export const Outcome = z.enum(OUTCOMES);
export type Outcome = z.infer<typeof Outcome>;

export const SimulatePayment = z.object({
  outcome: Outcome,
  amount: PositiveNaira.optional(),
  payer_name: Name.optional(),
});

export const SimulationResult = z.object({
  outcome: Outcome,
  credited: z.boolean(),
  reference: z.string(),
  amount: Naira,
  account_number: AccountNumber,
  message: z.string(),
  mode: Mode,
});
export type SimulationResult = z.output<typeof SimulationResult>;

/** The envelope of every webhook; `data` of `collection.success`. Serialised once: every attempt sends the same bytes. */
export const CollectionSuccess = z.object({
  event: z.literal("collection.success"),
  mode: Mode,
  created_at: Timestamp,
  data: z.object({
    reference: z.string(),
    amount: Naira,
    fee: Naira,
    net: Naira,
    currency: z.literal("NGN"),
    rail: z.literal("bank"),
    customer_reference: CustomerReference.nullable(),
    customer_name: z.string().nullable(),
    account_number: AccountNumber,
    payer_name: z.string(),
    paid_at: Timestamp,
    payment_reference: z.string().nullable(),
    merchant_reference: z.string().nullable(),
  }),
});
