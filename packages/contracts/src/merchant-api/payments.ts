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
import { ACCOUNT, COLLECTION, CREATED_AT, CUSTOMER, EXPIRES_AT, ORDER, PAID_AT, SESSION } from "./story.ts";

/** A `redirect_url` that is not an https URL is ignored, not refused. */
const RedirectUrl = z.string().max(2_000, "must be at most 2,000 characters");

/** The request that creates a payment session. Only the amount is required. */
export const OpenPayment = z
  .object({
    amount: RequestedNaira,
    reference: MerchantReference.optional(),
    customer_reference: CustomerReference.optional(),
    customer_name: Name.optional(),
    description: FreeText.optional(),
    redirect_url: RedirectUrl.optional(),
  })
  .meta({
    examples: [
      {
        amount: ORDER.amount,
        reference: ORDER.reference,
        ...CUSTOMER,
        description: ORDER.description,
        redirect_url: ORDER.redirect_url,
      },
    ],
  });

/** The same from a browser, with a public key: no customer fields. */
export const OpenCheckout = OpenPayment.pick({
  amount: true,
  reference: true,
  description: true,
  redirect_url: true,
}).meta({ examples: [ORDER] });

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

/** A payment session as its merchant sees it. The references in `collections` are those in the webhooks. */
export const Payment = z
  .object({
    reference: z.string().meta({ examples: [SESSION.reference] }),
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
    collections: z.array(
      z.object({ reference: z.string(), amount: Naira, fee: Naira, net: Naira, paid_at: Timestamp }),
    ),
    details_required: z.boolean(),
    opened_by: OpenedBy,
    /** The slug of the payment link that the session was created through. */
    payment_link: z.string().nullable(),
    expires_at: Timestamp,
    created_at: Timestamp,
    paid_at: Timestamp.nullable(),
    mode: Mode,
  })
  .meta({
    id: "Payment",
    examples: [
      {
        reference: SESSION.reference,
        merchant_reference: ORDER.reference,
        status: "paid",
        amount: SESSION.amount,
        amount_requested: ORDER.amount,
        amount_received: COLLECTION.amount,
        currency: "NGN",
        ...ACCOUNT,
        checkout_url: SESSION.checkout_url,
        collects: ["bank_transfer"],
        ...CUSTOMER,
        description: ORDER.description,
        redirect_url: ORDER.redirect_url,
        collections: [COLLECTION],
        details_required: false,
        opened_by: "secret_key",
        payment_link: null,
        expires_at: EXPIRES_AT,
        created_at: CREATED_AT,
        paid_at: PAID_AT,
        mode: "test",
      },
    ],
  });
export type Payment = z.output<typeof Payment>;

const PENDING = {
  reference: SESSION.reference,
  status: "pending",
  mode: "test",
  merchant_name: "Ada Stores",
  description: ORDER.description,
  amount: SESSION.amount,
  amount_requested: ORDER.amount,
  amount_received: 0,
  currency: "NGN",
  ...ACCOUNT,
  details_required: false,
  expires_at: EXPIRES_AT,
  server_time: CREATED_AT,
  return_url: null,
  poll_after_ms: 3000,
};

/** The fields of a session that anyone with its reference may see: nothing about the customer. */
export const CheckoutSession = z
  .object({
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
    /** Where the payer may return to after paying. */
    return_url: z.string().nullable(),
    poll_after_ms: z.int(),
  })
  .meta({ id: "CheckoutSession", examples: [PENDING] });
export type CheckoutSession = z.output<typeof CheckoutSession>;

export const OpenedCheckout = CheckoutSession.extend({
  checkout_url: z.url(),
  merchant_reference: z.string().nullable(),
}).meta({
  id: "OpenedCheckout",
  examples: [
    {
      ...PENDING,
      account_number: null,
      account_name: null,
      bank_name: null,
      details_required: true,
      checkout_url: SESSION.checkout_url,
      merchant_reference: ORDER.reference,
    },
  ],
});

/** The payer's name and email, required in an anonymous session. */
export const PayerDetails = z
  .object({
    name: Name,
    email: z.string().trim().max(254, "must be at most 254 characters").pipe(z.email("must be an email address")),
  })
  .meta({ examples: [{ name: CUSTOMER.customer_name, email: "ngozi@example.com" }] });
