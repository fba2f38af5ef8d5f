import { z } from "zod";
import { Browse, browseOf } from "../browse.ts";
import { FreeText, Instant, Mode, Naira, Name, RequestedNaira } from "../fields.ts";
import { PayerDetails } from "../merchant-api/payments.ts";
import { request } from "../message.ts";
import { SessionSnapshot } from "../session-snapshot.ts";
import { byMerchant, byScope } from "./merchant.ts";

/** Reusable links to a checkout that a merchant makes in the dashboard. Each payer who opens one gets a session. */

/** 10 characters of base58, made by us: it cannot be guessed through. */
export const LinkSlug = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{10}$/, "must be the slug of a payment link");

/**
 * Why nothing can be paid through a link, if so. Each follows from the link and its uses when asked. `held`: payments that are open
 * and unpaid have all that is left of it, so one who waits may find it active again.
 */
export const LinkStatus = z.enum(["active", "disabled", "expired", "used_up", "held"]);
export type LinkStatus = z.infer<typeof LinkStatus>;

/** What a link is asked for by. What cannot be a slug belongs to no link: not_found, like any other. */
const GivenSlug = z.string().max(100);

export const PaymentLink = z.object({
  slug: LinkSlug,
  url: z.url(),
  title: z.string(),
  description: z.string().nullable(),
  /** Null: the payer says how much. */
  amount: Naira.nullable(),
  status: LinkStatus,
  expires_at: Instant.nullable(),
  /** A use is a session that is open or was paid; what expires gives its use back. Null: any number. */
  uses_max: z.int().nullable(),
  uses: z.int(),
  /** What sessions of the link have received. */
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
  meaning: "Make a link, once for each key of the caller's.",
  input: byMerchant.extend({ ...LinkTerms.shape, key: z.uuid() }),
  output: PaymentLink,
});

export const setPaymentLinkDisabled = request({
  subject: "payments.link.set_disabled",
  callers: ["dashboard"],
  meaning: "Close a link to new payers, or open it again. Sessions that were created through it stay as they are.",
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

export const browsePaymentLinks = request({
  subject: "payments.link.browse",
  callers: ["dashboard"],
  meaning: "Links of one merchant and mode, newest first.",
  input: byScope.extend(Browse.shape),
  output: browseOf(PaymentLink),
});

export const showPaymentLink = request({
  subject: "payments.link.show",
  callers: ["checkout"],
  meaning: "What a payer may see of a link; not_found for a slug of no link.",
  input: z.object({ slug: GivenSlug }),
  output: PaymentLink.pick({
    slug: true,
    title: true,
    description: true,
    amount: true,
    status: true,
    mode: true,
  }).extend({
    merchant_name: z.string(),
  }),
});

export const openLinkPayment = request({
  subject: "payments.link.open_payment",
  callers: ["checkout"],
  meaning:
    "Open a session for a payer of a link, once for each key; the payer's details are given with it. Refused with conflict when the link is not active.",
  deadlineMs: 14_000,
  input: PayerDetails.extend({
    slug: GivenSlug,
    /** Required when the link has none of its own, and ignored otherwise. */
    amount: RequestedNaira.optional(),
    /** Made with the page that is sent, so that sending it twice opens one session. */
    key: z.uuid(),
  }),
  output: z.object({ session: SessionSnapshot, created: z.boolean() }),
});
