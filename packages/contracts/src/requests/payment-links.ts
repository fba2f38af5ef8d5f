import { z } from "zod";
import { AmountRange, Browse, browseOf, Search, Selected, Span, totalsOf } from "../browse.ts";
import { FreeText, Instant, MerchantScope, Mode, Naira, Name, RequestedNaira } from "../fields.ts";
import { PayerDetails } from "../merchant-api/checkout.ts";
import { request } from "../message.ts";
import { SessionSnapshot } from "../session-snapshot.ts";
import { ShownBranding } from "./business-profile.ts";
import { ClientTag } from "./client-tag.ts";
import { byMerchant, byScope } from "./merchant.ts";

/** Reusable links to a checkout that a merchant creates in the dashboard. Each payer who opens one gets a session. */

/** 10 random base58 characters: too many to guess. */
export const LinkSlug = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{10}$/, "must be the slug of a payment link");

/**
 * Whether a link accepts payments, and if not, why. Derived from the link and its uses at the time of the request. `held`: open,
 * unpaid sessions have taken all remaining uses, so the link may become active again when one expires.
 */
export const LinkStatus = z.enum(["active", "disabled", "expired", "used_up", "held"]);
export type LinkStatus = z.infer<typeof LinkStatus>;

/** The slug in a query. Text in another format belongs to no link: not_found, like an unknown slug. */
const GivenSlug = z.string().max(100);

export const PaymentLink = z.object({
  slug: LinkSlug,
  url: z.url(),
  title: z.string(),
  description: z.string().nullable(),
  /** Null: the payer chooses the amount. */
  amount: Naira.nullable(),
  status: LinkStatus,
  expires_at: Instant.nullable(),
  /** A use is a session that is open or was paid; an expired one releases its use. Null: unlimited. */
  uses_max: z.int().nullable(),
  uses: z.int(),
  /** The amount that the link's sessions have received. */
  collected: Naira,
  created_at: Instant,
  mode: Mode,
});
export type PaymentLink = z.output<typeof PaymentLink>;

const LinkTerms = z.object({
  title: Name,
  description: FreeText.optional(),
  amount: RequestedNaira.optional(),
  expires_at: Instant.optional(),
  uses_max: z.int().min(1).max(1_000_000).optional(),
});

export const createPaymentLink = request({
  subject: "payments.link.create",
  callers: ["dashboard", "operator"],
  operator: { action: "link.made", detail: ["title", "amount", "expires_at", "uses_max"] },
  meaning: "Create a link, once for each key of the caller's.",
  input: byMerchant.extend({ ...LinkTerms.shape, key: z.uuid() }),
  output: PaymentLink,
});

export const setPaymentLinkDisabled = request({
  subject: "payments.link.set_disabled",
  callers: ["dashboard"],
  meaning: "Disable a link for new payers, or enable it again. Sessions already created through it do not change.",
  input: byScope.extend({ slug: GivenSlug, disabled: z.boolean() }),
  output: PaymentLink,
});

export const getPaymentLink = request({
  subject: "payments.link.get",
  callers: ["dashboard"],
  meaning: "One link of a merchant and mode.",
  input: byScope.extend({ slug: GivenSlug }),
  output: PaymentLink,
});

/** Which links. Every filter that is given has to match; a range of amounts leaves out those whose payers choose theirs. */
const LinkFilters = byScope.extend({ ...Span.shape, ...AmountRange.shape, ...Selected.shape, search: Search });

export const browsePaymentLinks = request({
  subject: "payments.link.browse",
  callers: ["dashboard"],
  meaning: "Links of one merchant and mode, newest first.",
  input: LinkFilters.extend(Browse.shape),
  output: browseOf(PaymentLink),
});

export const sumPaymentLinks = request({
  subject: "payments.link.sum",
  callers: ["dashboard"],
  meaning:
    "How many links match the filters of the list, and what they collected; null above 10,000, which are not counted.",
  input: LinkFilters,
  output: totalsOf({ collected: Naira }),
});

export const showPaymentLink = request({
  subject: "payments.link.show",
  callers: ["checkout"],
  meaning: "A link, with the fields that a payer may see; not_found for an unknown slug.",
  input: z.object({ slug: GivenSlug }),
  output: PaymentLink.pick({
    slug: true,
    title: true,
    description: true,
    amount: true,
    status: true,
    mode: true,
  }).extend({
    merchant: MerchantScope,
    merchant_name: z.string(),
    branding: ShownBranding,
  }),
});

export const openLinkPayment = request({
  subject: "payments.link.open_payment",
  callers: ["checkout"],
  meaning:
    "Create a session for a payer of a link, once for each key, with the payer's details. Refused with conflict when the link is not active.",
  deadlineMs: 14_000,
  input: PayerDetails.extend({
    slug: GivenSlug,
    /** Required when the link has none of its own, and ignored otherwise. */
    amount: RequestedNaira.optional(),
    /** Generated with the page, so that submitting its form twice creates one session. */
    key: z.uuid(),
    client: ClientTag,
  }),
  output: z.object({ session: SessionSnapshot, created: z.boolean() }),
});
