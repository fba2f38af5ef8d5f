import { z } from "zod";
import { AccountNumber, Id, Instant, Kobo, MerchantScope } from "./fields.ts";
import { OpenedBy, SessionStatus } from "./merchant-api/payments.ts";

/** A payment session at one version, as payments tells it to whoever keeps a copy. Nothing about the customer. */
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
});
export type SessionSnapshot = z.output<typeof SessionSnapshot>;
