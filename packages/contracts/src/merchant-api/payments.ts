import { z } from "zod";
import {
  AccountNumber,
  CustomerReference,
  FreeText,
  MerchantReference,
  Mode,
  Naira,
  Name,
  RequestedNaira,
} from "../fields.ts";
import { Timestamp } from "./lists.ts";

/** A `redirect_url` that is no https address is dropped, not refused. */
const RedirectUrl = z.string().max(2_000, "must be at most 2,000 characters");

/** What opens a payment session. Only the amount is required. */
export const OpenPayment = z.object({
  amount: RequestedNaira,
  reference: MerchantReference.optional(),
  customer_reference: CustomerReference.optional(),
  customer_name: Name.optional(),
  description: FreeText.optional(),
  redirect_url: RedirectUrl.optional(),
});

/** The same from a browser, with a public key: nothing about a customer. */
export const OpenCheckout = OpenPayment.pick({ amount: true, reference: true, description: true, redirect_url: true });

export const SESSION_STATUSES = [
  "pending",
  "processing",
  "paid",
  "underpaid",
  "overpaid",
  "expired",
  "paid_late",
] as const;
export const SessionStatus = z.enum(SESSION_STATUSES);
export type SessionStatus = z.infer<typeof SessionStatus>;

export const OpenedBy = z.enum(["secret_key", "public_key", "payment_link"]);
export type OpenedBy = z.infer<typeof OpenedBy>;

/** A payment session as its merchant sees it. The references in `collections` are those that the webhooks carry. */
export const Payment = z.object({
  reference: z.string().meta({ examples: ["pay_7Yk3pQ2mVd9sRw4tXb6nLc"] }),
  merchant_reference: z.string().nullable(),
  status: SessionStatus,
  amount: Naira,
  amount_requested: Naira,
  amount_received: Naira,
  currency: z.literal("NGN"),
  account_number: AccountNumber,
  account_name: z.string(),
  bank_name: z.string(),
  checkout_url: z.url(),
  collects: z.array(z.literal("bank_transfer")),
  customer_reference: CustomerReference.nullable(),
  customer_name: z.string().nullable(),
  description: z.string().nullable(),
  redirect_url: z.string().nullable(),
  collections: z.array(z.object({ reference: z.string(), amount: Naira, fee: Naira, net: Naira, paid_at: Timestamp })),
  details_required: z.boolean(),
  opened_by: OpenedBy,
  /** The slug of the payment link it was opened through. */
  payment_link: z.string().nullable(),
  expires_at: Timestamp,
  created_at: Timestamp,
  paid_at: Timestamp.nullable(),
  mode: Mode,
});
export type Payment = z.output<typeof Payment>;

/** What anybody who knows a session's reference may see of it: nothing about the customer. */
export const CheckoutSession = z.object({
  reference: z.string(),
  status: SessionStatus,
  mode: Mode,
  merchant_name: z.string(),
  description: z.string().nullable(),
  amount: Naira,
  amount_requested: Naira,
  amount_received: Naira,
  currency: z.literal("NGN"),
  /** Null while details are required. */
  account_number: AccountNumber.nullable(),
  account_name: z.string().nullable(),
  bank_name: z.string().nullable(),
  details_required: z.boolean(),
  expires_at: Timestamp,
  server_time: Timestamp,
  /** Where the payer may return to, once paid. */
  return_url: z.string().nullable(),
  poll_after_ms: z.int(),
});
export type CheckoutSession = z.output<typeof CheckoutSession>;

export const OpenedCheckout = CheckoutSession.extend({
  checkout_url: z.url(),
  merchant_reference: z.string().nullable(),
});

/** Who pays, asked of the payer of an anonymous session. */
export const PayerDetails = z.object({
  name: Name,
  email: z.string().trim().max(254, "must be at most 254 characters").pipe(z.email("must be an email address")),
});
