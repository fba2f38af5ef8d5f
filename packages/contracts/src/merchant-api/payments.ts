import { z } from "zod";
import {
  AccountNumber,
  CustomerReference,
  FreeText,
  Metadata,
  Naira,
  Name,
  NewCustomerReference,
  NewMerchantReference,
  NewMetadata,
  ReferenceQuery,
  RequestedNaira,
  UtcInstant,
} from "../fields.ts";
import { CursorPage, cursorListOf, Timestamp } from "./lists.ts";
import { RECEIVED_MONEY } from "./received-money.ts";
import { CheckoutUrl, MerchantReferenceOrNull, OpenedBy, SESSION_FIELDS, SESSION_STATUSES } from "./session.ts";
import {
  ACCOUNT,
  COLLECTION,
  CREATED_AT,
  CUSTOMER,
  EXPIRES_AT,
  METADATA,
  ONE_CURSOR_PAGE,
  ORDER,
  PAID_AT,
  SESSION,
} from "./story.ts";

/** A `redirect_url` that is not an https URL is ignored, not refused. */
const RedirectUrl = z.string().max(2_000, "must be at most 2,000 characters").meta({
  description:
    "Where the payer can return after paying; the link gets `reference=…` unless it has one. Only an https URL is kept; others are dropped, not refused.",
});

/** The request that creates a payment session. Only the amount is required. */
export const OpenPayment = z
  .object({
    amount: RequestedNaira.meta({
      description:
        "What you request, in naira with at most two decimals. The payer is asked for 1 to 99 kobo more: `amount` of the response.",
    }),
    reference: NewMerchantReference.optional().meta({
      description:
        "Your order id, strongly recommended: a repeat with the same one returns the same session, in whatever state it is and whatever else the call sends. It is `merchant_reference` in responses and events.",
    }),
    customer_reference: NewCustomerReference.optional().meta({
      description:
        "Your own key for the customer, whose permanent account the payer then sees; a new one gets an account at once. Without it, the payer sees one of your collection accounts.",
    }),
    customer_name: Name.optional().meta({
      description:
        "Required the first time a `customer_reference` is used. Without both, the checkout asks the payer for a name and an email address first.",
    }),
    description: FreeText.optional().meta({ description: "What the payment is for; the payer sees it." }),
    redirect_url: RedirectUrl.optional(),
    metadata: NewMetadata.optional(),
  })
  .meta({
    description: "The payment that you request.",
    examples: [
      {
        amount: ORDER.amount,
        reference: ORDER.reference,
        ...CUSTOMER,
        description: ORDER.description,
        redirect_url: ORDER.redirect_url,
        metadata: METADATA,
      },
    ],
  });

const PAID_PAYMENT = {
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
  metadata: METADATA,
  mode: "test",
};

const AttachedCollection = z.object({
  reference: z.string().meta({ description: "The `data.reference` of its `collection.success`: credit it once." }),
  ...RECEIVED_MONEY,
  paid_at: Timestamp.meta({ description: "When it was paid, by the bank's clock." }),
  amount_reversed: Naira.optional().meta({
    description: "How much of it the bank took back, in naira; absent if it took nothing.",
  }),
});

/** A payment session as its merchant sees it. The references in `collections` are those in the webhooks. */
export const Payment = z
  .object({
    reference: z.string().meta({
      description:
        "Our id of the session. It is also the `data.reference` of the first `collection.success` that is matched to it.",
      examples: [SESSION.reference],
    }),
    merchant_reference: MerchantReferenceOrNull,
    status: SESSION_FIELDS.status,
    amount: SESSION_FIELDS.amount,
    amount_requested: SESSION_FIELDS.amount_requested,
    amount_received: SESSION_FIELDS.amount_received,
    amount_reversed: Naira.optional().meta({
      description:
        "How much of `amount_received` banks took back, in naira; absent if they took nothing. The status stays as it was.",
    }),
    currency: SESSION_FIELDS.currency,
    account_number: SESSION_FIELDS.account_number,
    account_name: SESSION_FIELDS.account_name,
    bank_name: SESSION_FIELDS.bank_name,
    checkout_url: CheckoutUrl,
    collects: z
      .array(z.literal("bank_transfer"))
      .meta({ description: "How it can be paid: only by bank transfer for now. Further ways may be added." }),
    customer_reference: CustomerReference.nullable().meta({
      description: "Your own key for the customer; null if you sent none.",
    }),
    customer_name: z.string().nullable().meta({
      description: "The customer's name, or else the name that the payer gave at the checkout; null without either.",
    }),
    description: SESSION_FIELDS.description,
    redirect_url: z.string().nullable().meta({
      description: "As you sent it; null if you sent none, or one that is not an https URL, which is dropped.",
    }),
    collections: z.array(AttachedCollection).meta({
      description:
        "The transfers that were matched to it, each as in its `collection.success`. Credit these references, not the session.",
    }),
    details_required: SESSION_FIELDS.details_required,
    opened_by: OpenedBy,
    payment_link: z
      .string()
      .nullable()
      .meta({ description: "The last part of the payment link's URL; null if the session was not created by a link." }),
    expires_at: SESSION_FIELDS.expires_at,
    created_at: Timestamp.meta({ description: "When the session was created." }),
    paid_at: Timestamp.nullable().meta({
      description: "When the transfer that completed the payment was received; null until then.",
    }),
    metadata: Metadata,
    mode: SESSION_FIELDS.mode,
  })
  .meta({
    id: "Payment",
    description: "A payment session: an exact amount that a payer is asked to transfer to an account.",
    examples: [PAID_PAYMENT],
  });
export type Payment = z.output<typeof Payment>;

/** Which sessions, newest first. Every filter that is given has to match. */
export const ListPayments = CursorPage.extend({
  status: z
    .enum([...SESSION_STATUSES, "all"])
    .default("all")
    .meta({ description: "Only sessions in this status." }),
  merchant_reference: ReferenceQuery.optional().meta({ description: "Created with your reference." }),
  customer_reference: CustomerReference.optional().meta({ description: "Of this customer of yours." }),
  created_from: UtcInstant.optional().meta({
    description: "Created at or after this time. In a URL a `+` is sent as `%2B`; or use `Z`.",
  }),
  created_to: UtcInstant.optional().meta({ description: "Created before this time." }),
});
export const PaymentList = cursorListOf(Payment).meta({
  id: "PaymentList",
  description: "A page of payment sessions.",
  examples: [{ data: [PAID_PAYMENT], ...ONE_CURSOR_PAGE }],
});

/** A session that a secret key created: it has its account from the beginning. */
export const CreatedPayment = Payment.extend({
  account_number: AccountNumber.meta({
    description:
      "The account to pay into: the customer's own if there is a `customer_reference`, otherwise a collection account of yours, which others pay into, too.",
  }),
  account_name: z.string().meta({
    description: "What the payer's bank shows for the account number, for the payer to compare.",
  }),
  bank_name: z.string().meta({ description: "The bank that holds the account." }),
}).meta({
  id: "CreatedPayment",
  description: "A payment session that a secret key created, which has its account from the beginning.",
  examples: [PAID_PAYMENT],
});
export type CreatedPayment = z.output<typeof CreatedPayment>;
