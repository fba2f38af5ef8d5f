import { z } from "zod";
import { AccountNumber, Id, Instant, Kobo, MerchantScope } from "./fields.ts";
import { OpenedBy, SessionStatus } from "./merchant-api/payments.ts";

/** What only payments needs to know of a session. A copy keeps it for payments, and shows none of it. */
const Kept = z.object({
  merchantReference: z.string().nullable(),
  customerReference: z.string().nullable(),
  customerName: z.string().nullable(),
  payerName: z.string().nullable(),
  payerEmail: z.string().nullable(),
  sentAt: Instant.nullable(),
  paymentLink: z.string().nullable(),
  linkKey: z.string().nullable(),
});

/**
 * A payment session at one version, as payments publishes it to the services that keep a copy. What stands beside `kept` says nothing about
 * the customer.
 */
export const SessionSnapshot = z.object({
  reference: Id,
  /** Rises with every change; a copy takes only what is newer. */
  version: z.int().positive(),
  merchant: MerchantScope,
  merchantName: z.string(),
  status: SessionStatus,
  amount: Kobo,
  amountRequested: Kobo,
  amountReceived: Kobo,
  accountNumber: AccountNumber,
  accountName: z.string(),
  bankName: z.string(),
  description: z.string().nullable(),
  redirectUrl: z.string().nullable(),
  detailsRequired: z.boolean(),
  openedBy: OpenedBy,
  createdAt: Instant,
  expiresAt: Instant,
  /** Until then money still changes the session; afterwards it is final. */
  watchUntil: Instant,
  paidAt: Instant.nullable(),
  /** So that payments can learn the session again from its copy. */
  kept: Kept.optional(),
});
export type SessionSnapshot = z.output<typeof SessionSnapshot>;
