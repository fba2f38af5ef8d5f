import { z } from "zod";
import { AccountNumber, Id, Instant, Kobo, MerchantScope, Metadata } from "./fields.ts";
import { OpenedBy, SessionStatus } from "./merchant-api/session.ts";

/** Fields of a session that only payments uses. A copy stores them so that payments can restore them, and shows none of them. */
const Kept = z.object({
  merchantReference: z.string().nullable(),
  customerReference: z.string().nullable(),
  customerName: z.string().nullable(),
  payerName: z.string().nullable(),
  payerEmail: z.string().nullable(),
  sentAt: Instant.nullable(),
  paymentLink: z.string().nullable(),
  linkKey: z.string().nullable(),
  /** When the account was assigned, if that was after the session was created. */
  quotedAt: Instant.nullable().optional(),
  clientNonce: z.string().nullable().optional(),
  /** Absent from a copy of an earlier release. */
  metadata: Metadata.optional(),
});

/**
 * A payment session at one version, as payments publishes it to the services that store a copy. The fields outside `kept`
 * contain nothing about the customer but the name of the account.
 */
export const SessionSnapshot = z.object({
  reference: Id,
  /** Incremented by every change; a copy applies only newer versions. */
  version: z.int().positive(),
  merchant: MerchantScope,
  merchantName: z.string(),
  status: SessionStatus,
  amount: Kobo,
  amountRequested: Kobo,
  amountReceived: Kobo,
  /** How much of that banks took back; absent if they took nothing. */
  amountReversed: Kobo.optional(),
  /** Read these through `accountOf`: the account may not be assigned yet. */
  accountNumber: AccountNumber,
  accountName: z.string(),
  bankName: z.string(),
  /** False until the account is assigned, when the payer's details are given. Absent: it is. */
  hasAccount: z.boolean().optional(),
  description: z.string().nullable(),
  redirectUrl: z.string().nullable(),
  detailsRequired: z.boolean(),
  openedBy: OpenedBy,
  createdAt: Instant,
  expiresAt: Instant,
  /** Until then a transfer can still change the session; afterwards it is final. */
  watchUntil: Instant,
  paidAt: Instant.nullable(),
  /** With these, payments can restore a lost session from its copy. */
  kept: Kept.optional(),
});
export type SessionSnapshot = z.output<typeof SessionSnapshot>;

/** The account of a session that has none yet, for readers of the previous release, who show no account without details. */
export const UNASSIGNED_ACCOUNT = { accountNumber: "0000000000", accountName: "", bankName: "", hasAccount: false };

/** The account to pay into; null while it is not assigned, or not shown because details are required. */
export function accountOf(session: SessionSnapshot): SessionAccount | null {
  const { accountNumber, accountName, bankName, hasAccount = true, detailsRequired } = session;
  return hasAccount && !detailsRequired ? { accountNumber, accountName, bankName } : null;
}

export type SessionAccount = Pick<SessionSnapshot, "accountNumber" | "accountName" | "bankName">;
