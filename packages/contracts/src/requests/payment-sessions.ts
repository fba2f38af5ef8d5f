import { z } from "zod";
import { AmountRange, Browse, browseOf, Search, Selected, Span, totalsOf } from "../browse.ts";
import { CustomerReference, Instant, Naira } from "../fields.ts";
import { Payment } from "../merchant-api/payments.ts";
import { SESSION_STATUSES } from "../merchant-api/session.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";
import { LinkSlug } from "./payment-links.ts";

/** Payment sessions, for the dashboard. */

/** Which sessions. Every filter that is given has to match. */
const SessionFilters = byScope.extend({
  ...Span.shape,
  ...AmountRange.shape,
  ...Selected.shape,
  status: z.enum([...SESSION_STATUSES, "all"]).default("all"),
  customer_reference: CustomerReference.optional(),
  payment_link: LinkSlug.optional(),
  /** Only those that were paid, and then exactly once more. */
  paid: z.literal("twice").optional(),
  search: Search,
});

export const browsePayments = request({
  subject: "payments.session.browse",
  callers: ["dashboard"],
  meaning: "Payment sessions of one merchant and mode, newest first, without their collections and metadata.",
  input: SessionFilters.extend(Browse.shape),
  output: browseOf(Payment.omit({ collections: true, collects: true, metadata: true })),
});

export const sumPayments = request({
  subject: "payments.session.sum",
  callers: ["dashboard"],
  meaning:
    "How many sessions match the filters of the list, and what they ask for and received; null above 10,000, which are not counted.",
  input: SessionFilters,
  output: totalsOf({ amount: Naira, amount_received: Naira }),
});

export const showPayment = request({
  subject: "payments.session.show",
  callers: ["dashboard"],
  meaning: "One session with its collections and the other fields that its merchant's team may see.",
  input: byScope.extend({ reference: z.string().max(100) }),
  output: z.object({
    payment: Payment,
    /** Given by the payer of an anonymous session. */
    payer: z.object({ name: z.string(), email: z.string() }).nullable(),
    sent_at: Instant.nullable(),
    /** A transfer received until then is still matched to the session. */
    watch_until: Instant,
  }),
});
