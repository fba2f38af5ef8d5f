import { type CheckoutSession, instantOf, type OpenedCheckout, type SessionSnapshot } from "@collect/contracts";
import { naira } from "@collect/money";
import type { z } from "zod";
import { isOpen } from "./freshness.ts";
import { returnUrl } from "./return-url.ts";

/** How soon to ask again: while money is awaited; while late money may still change things; and when hardly anything can. */
const POLL_AFTER_MS = { open: 3_000, watched: 15_000, final: 60_000 };

/**
 * What anybody who knows a session's reference may see of it. The status is what payments says: a session whose time has just passed is
 * pending here until payments has expired it, for its money may be on the way.
 */
export function checkoutView(snapshot: SessionSnapshot, now: Date): CheckoutSession {
  const { detailsRequired } = snapshot;
  return {
    reference: snapshot.reference,
    status: snapshot.status,
    mode: snapshot.merchant.mode,
    merchant_name: snapshot.merchantName,
    description: snapshot.description,
    amount: snapshot.amount,
    amount_requested: snapshot.amountRequested,
    amount_received: snapshot.amountReceived,
    currency: "NGN",
    account_number: detailsRequired ? null : snapshot.accountNumber,
    account_name: detailsRequired ? null : snapshot.accountName,
    bank_name: detailsRequired ? null : snapshot.bankName,
    details_required: detailsRequired,
    expires_at: snapshot.expiresAt,
    server_time: instantOf(now),
    return_url: returnUrlOf(snapshot),
    poll_after_ms: POLL_AFTER_MS[pace(snapshot, now)],
  };
}

/** A session as payments answered its creation; `created` is false where the merchant's reference was known. */
export type CreatedSession = {
  session: SessionSnapshot;
  checkoutUrl: string;
  merchantReference: string | null;
  created: boolean;
};

/** What the merchant's page gets for it: the session as payers see it, and where to send them. */
export function createdView(
  { session, checkoutUrl, merchantReference }: CreatedSession,
  now: Date,
): z.output<typeof OpenedCheckout> {
  return { ...checkoutView(session, now), checkout_url: checkoutUrl, merchant_reference: merchantReference };
}

/** Only https is kept by payments, and only https leaves here: it becomes a link on a page. */
function returnUrlOf({ status, redirectUrl, reference }: SessionSnapshot): string | null {
  const isPaid = status === "paid" || status === "overpaid" || status === "paid_late";
  return isPaid && redirectUrl && /^https:\/\//i.test(redirectUrl) ? returnUrl(redirectUrl, reference) : null;
}

/**
 * What a payer can see change of a session, but for the time that is left: two cards of one state say the same. The page's script
 * makes the same text out of what it polls.
 */
export function stateOf({ status, amountReceived, detailsRequired, expiresAt }: SessionSnapshot): string {
  return [status, naira(amountReceived), detailsRequired, expiresAt].join(" ");
}

/** Whether money or time may still change what a payer sees. */
export function isFollowed(snapshot: SessionSnapshot, now: Date): boolean {
  return pace(snapshot, now) !== "final";
}

function pace(snapshot: SessionSnapshot, now: Date): keyof typeof POLL_AFTER_MS {
  if (isOpen(snapshot)) return "open";
  const awaitsMore = snapshot.status === "expired" || snapshot.status === "underpaid";
  return awaitsMore && now.getTime() < Date.parse(snapshot.watchUntil) ? "watched" : "final";
}
