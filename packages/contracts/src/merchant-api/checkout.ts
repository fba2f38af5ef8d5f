import { z } from "zod";
import { Naira, Name, NewMerchantReference } from "../fields.ts";
import { Timestamp } from "./lists.ts";
import { OpenPayment } from "./payments.ts";
import { CheckoutUrl, MerchantReferenceOrNull, SESSION_FIELDS } from "./session.ts";
import { ACCOUNT, CREATED_AT, CUSTOMER, EXPIRES_AT, ORDER, SESSION } from "./story.ts";

/**
 * Calls per minute and session that anyone with its reference can make, through the API and on the checkout host together, whose page
 * counts, too.
 */
export const CHECKOUT_LIMITS = { checkout_reads: 240, checkout_details: 20, checkout_sent: 20 } as const;
export type CheckoutLimit = keyof typeof CHECKOUT_LIMITS;

/** Whatever a caller repeats with the nonce that it drew itself is its own: others cannot know it. */
const ClientNonce = z.string().regex(/^[A-Za-z0-9_-]{16,100}$/, "must be 16 to 100 letters, digits, _ or -");
/** A solved challenge of an earlier `proof_required`: the challenge, a dot and a number. */
const Proof = z.string().max(300, "must be at most 300 characters").meta({
  description:
    "Only after a 429 `proof_required`: `{challenge}.{n}`, of the challenge in its `proof`. It counts once, for the same kind of call to the same merchant from the same network, within five minutes and while not much more work is asked for by then; otherwise the response is a new challenge. Not needed, it is ignored.",
});

/** The same from a browser, with a public key: no customer fields. */
export const OpenCheckout = OpenPayment.pick({
  amount: true,
  reference: true,
  description: true,
  redirect_url: true,
})
  .extend({
    reference: NewMerchantReference.optional().meta({
      description:
        "Your order id, as `merchant_reference` in the response. It does not make a repeat the same session.",
    }),
    client_nonce: ClientNonce.optional().meta({
      description:
        "Drawn by the page at random and kept, for one attempt to pay. The same nonce with the same amount, reference, description and redirect_url returns the same session, also when sent twice at once, in every state but `expired`; after that, and with any other field, it creates another one.",
    }),
    proof: Proof.optional(),
  })
  .meta({
    description: "The payment that a web page requests.",
    examples: [{ ...ORDER, client_nonce: "0f8b2c61d4e94c7a" }],
  });

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

/** The fields of a session that anyone with its reference may see: of the customer only the name of the account, which a payer sees at the bank, too. */
export const CheckoutSession = z
  .object({
    reference: z.string().meta({ description: "Our id of the session; knowing it is enough to read this." }),
    status: SESSION_FIELDS.status,
    mode: SESSION_FIELDS.mode,
    merchant_name: z.string().meta({ description: "The business that is paid." }),
    description: SESSION_FIELDS.description,
    amount: SESSION_FIELDS.amount,
    amount_requested: SESSION_FIELDS.amount_requested,
    amount_received: SESSION_FIELDS.amount_received,
    amount_reversed: Naira.optional().meta({
      description:
        "How much of `amount_received` the bank took back; absent if it took nothing. The payer sends no more.",
    }),
    currency: SESSION_FIELDS.currency,
    account_number: SESSION_FIELDS.account_number.meta({
      description: "The account to pay into; null while `details_required` is true.",
    }),
    account_name: SESSION_FIELDS.account_name,
    bank_name: SESSION_FIELDS.bank_name,
    details_required: SESSION_FIELDS.details_required,
    expires_at: SESSION_FIELDS.expires_at,
    server_time: Timestamp.meta({
      description: "The server's clock, for a countdown to `expires_at` that does not depend on the device's.",
    }),
    return_url: z.string().nullable().meta({
      description:
        "In `paid`, `overpaid` and `paid_late`, the `redirect_url` with `reference=…` added, unless it had one; null before, and without a `redirect_url`. It is no proof of payment.",
    }),
    poll_after_ms: z.int().meta({
      description: "How long to wait before the next read, in milliseconds: longer once little or nothing can change.",
    }),
  })
  .meta({
    id: "CheckoutSession",
    description:
      "What anyone who knows the reference of a session sees of it. Of the customer that is only `account_name`, which a payer sees at the bank, too: in a customer's own account it has the name.",
    examples: [PENDING],
  });
export type CheckoutSession = z.output<typeof CheckoutSession>;

export const OpenedCheckout = CheckoutSession.extend({
  checkout_url: CheckoutUrl,
  merchant_reference: MerchantReferenceOrNull,
  warnings: z
    .array(
      z.object({
        param: z.string().meta({ description: "The field that was left out." }),
        code: z.string().meta({
          description: "Why: `not_https`, `return_host_not_allowed` or `description_not_allowed`. More may be added.",
        }),
        message: z.string().meta({ description: "The same for people, and what to do." }),
      }),
    )
    .meta({
      description: "What was left out of the session: fields that the merchant does not allow under its public key.",
    }),
}).meta({
  id: "OpenedCheckout",
  description: "A session that a public key created; the same as payers see, and what its page needs.",
  examples: [
    {
      ...PENDING,
      amount: ORDER.amount,
      account_number: null,
      account_name: null,
      bank_name: null,
      details_required: true,
      checkout_url: SESSION.checkout_url,
      merchant_reference: ORDER.reference,
      warnings: [],
    },
  ],
});

/** The payer's name and email, required in an anonymous session. */
export const PayerDetails = z
  .object({
    name: Name.meta({ description: "The payer's name, which the merchant sees." }),
    email: z
      .string()
      .trim()
      .max(254, "must be at most 254 characters")
      .pipe(z.email("must be an email address"))
      .meta({ description: "The payer's email address, which the merchant sees.", format: "email" }),
  })
  .meta({
    description: "The payer of a session without a customer.",
    examples: [{ name: CUSTOMER.customer_name, email: "ngozi@example.com" }],
  });

export const GivePayerDetails = PayerDetails.extend({ proof: Proof.optional() }).meta({
  description: "The payer of a session without a customer.",
  examples: [{ name: CUSTOMER.customer_name, email: "ngozi@example.com" }],
});
