import { z } from "zod";
import { AccountNumber, Currency, Mode, Naira } from "../fields.ts";
import { Timestamp } from "./lists.ts";

/** The fields of a payment session that more than one schema shows. */

export const SESSION_STATUSES = [
  "pending",
  "processing",
  "paid",
  "underpaid",
  "overpaid",
  "expired",
  "paid_late",
] as const;
export const SessionStatus = z.enum(SESSION_STATUSES).meta({
  description: `What has happened so far. Every transfer that is matched sends \`collection.success\`, and one that your team attaches \`collection.attached\`; a change of the status alone sends nothing.
- \`pending\`: waiting for the transfer.
- \`processing\`: the payer says that it was sent, which extends the expiry once.
- \`paid\`: exactly \`amount\` was received, in one transfer or several. A payer who sends it once more leaves it \`paid\`: \`amount_received\` is then more than \`amount\`.
- \`underpaid\`: less was received: in a customer's own account, or because your team attached a transfer. In a customer's own account a further transfer can make it \`paid\` or \`overpaid\`.
- \`overpaid\`: more was received: in a customer's own account, or because your team attached a transfer. It is all yours.
- \`expired\`: nothing was received in time.
- \`paid_late\`: exactly \`amount\` was received after the expiry, or attached by your team after it.`,
});
export type SessionStatus = z.infer<typeof SessionStatus>;

export const OpenedBy = z.enum(["secret_key", "public_key", "payment_link"]).meta({
  description: "How the session was created: by your server, by a web page, or by a payer who followed a link.",
});
export type OpenedBy = z.infer<typeof OpenedBy>;

/** What merchant and payer see alike. */
export const SESSION_FIELDS = {
  status: SessionStatus,
  amount: Naira.meta({
    description:
      "What the payer must send, exactly: `amount_requested` plus 1 to 99 kobo, by which the transfer is recognized. In a session of a public key it is `amount_requested` until the payer's details are given.",
  }),
  amount_requested: Naira.meta({ description: "What was requested, in naira." }),
  amount_received: Naira.meta({
    description: "The sum of all transfers that were matched to the session, in naira, before the fee.",
  }),
  currency: Currency,
  account_number: AccountNumber.nullable().meta({
    description:
      "The account to pay into: the customer's own if there is a `customer_reference`, otherwise a collection account of yours, which others pay into, too. Null in a session of a public key until its payer's details are given.",
  }),
  account_name: z.string().nullable().meta({
    description:
      "What the payer's bank shows for the account number, for the payer to compare. Null without an account.",
  }),
  bank_name: z.string().nullable().meta({ description: "The bank that holds the account. Null without an account." }),
  description: z.string().nullable().meta({ description: "What the payment is for; null if none was sent." }),
  details_required: z.boolean().meta({
    description:
      "Whether the checkout still asks the payer for a name and an email address before it shows the account: when neither a customer nor a name was sent.",
  }),
  expires_at: Timestamp.meta({
    description:
      "When the session expires, half an hour after its creation by default, or after the payer's details were given to a session of a public key; and up to half an hour later once the payer says that the transfer was sent. The exact amount still pays it, `paid_late`, for 24 hours in a customer's own account and for 2 hours in another one, or half an hour if a public key or a link created it.",
  }),
  mode: Mode,
};

/** The merchant's own order, in whatever shows it. */
export const MerchantReferenceOrNull = z
  .string()
  .nullable()
  .meta({ description: "Your order id, sent as `reference`; null if you sent none." });
export const CheckoutUrl = z.url().meta({ description: "The page on the checkout host to send the payer to." });
