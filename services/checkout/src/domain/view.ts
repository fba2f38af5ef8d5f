import {
  accountOf,
  type CheckoutSession,
  instantOf,
  type OpenedCheckout,
  type SessionSnapshot,
} from "@collect/contracts";
import { naira } from "@collect/money";
import type { z } from "zod";
import { isOpen } from "./freshness.ts";
import { returnUrl } from "./return-url.ts";

/**
 * When to poll again: while the session is open; while a late transfer may still change it; and when hardly anything
 * can.
 */
const POLL_AFTER_MS = { open: 3_000, watched: 15_000, final: 60_000 };

/**
 * What anyone who knows a session's reference may see of it. The status is that of payments: a session that has just
 * ended is still pending until payments expires it, because a transfer may be in transit.
 */
export function checkoutView(snapshot: SessionSnapshot, now: Date): CheckoutSession {
  const { detailsRequired } = snapshot;
  const account = accountOf(snapshot);
  return {
    reference: snapshot.reference,
    status: snapshot.status,
    mode: snapshot.merchant.mode,
    merchant_name: snapshot.merchantName,
    description: snapshot.description,
    amount: snapshot.amount,
    amount_requested: snapshot.amountRequested,
    amount_received: snapshot.amountReceived,
    ...(snapshot.amountReversed && { amount_reversed: snapshot.amountReversed }),
    currency: "NGN",
    account_number: account?.accountNumber ?? null,
    account_name: account?.accountName ?? null,
    bank_name: account?.bankName ?? null,
    details_required: detailsRequired,
    expires_at: snapshot.expiresAt,
    server_time: instantOf(timeOf(snapshot, now)),
    return_url: returnUrlOf(snapshot),
    poll_after_ms: POLL_AFTER_MS[pace(snapshot, now)],
  };
}

/**
 * The time by which a session runs. A merchant's test clock may be ahead of real time: it is at least where it stood when the session began.
 * Only payments knows whether it has been advanced since, and expires the session by it.
 */
export function timeOf({ merchant, createdAt, kept }: SessionSnapshot, now: Date): Date {
  if (merchant.mode === "live") return now;
  const since = Math.max(Date.parse(createdAt), Date.parse(kept?.quotedAt ?? createdAt));
  return since > now.getTime() ? new Date(since) : now;
}

/** The response of payments to a creation; `created` is false if the merchant's reference was known. */
export type CreatedSession = {
  session: SessionSnapshot;
  checkoutUrl: string;
  merchantReference: string | null;
  warnings: z.output<typeof OpenedCheckout>["warnings"];
  created: boolean;
};

/** The response to the merchant's page: the session as payers see it, and its checkout URL. */
export function createdView(
  { session, checkoutUrl, merchantReference, warnings }: CreatedSession,
  now: Date,
): z.output<typeof OpenedCheckout> {
  return { ...checkoutView(session, now), checkout_url: checkoutUrl, merchant_reference: merchantReference, warnings };
}

/** Payments stores only https URLs, and only https URLs are returned: it becomes a link on a page. */
function returnUrlOf({ status, redirectUrl, reference }: SessionSnapshot): string | null {
  const isPaid = status === "paid" || status === "overpaid" || status === "paid_late";
  return isPaid && redirectUrl && /^https:\/\//i.test(redirectUrl) ? returnUrl(redirectUrl, reference) : null;
}

/**
 * The visible state of a session, without the remaining time: cards with the same state look the same. page.js derives
 * the same text from what it polls.
 */
export function stateOf(session: SessionSnapshot): string {
  const { status, amountReceived, amountReversed = 0n, detailsRequired, expiresAt } = session;
  const takenBack = amountReversed > 0n ? [naira(amountReversed)] : [];
  return [status, naira(amountReceived), detailsRequired, expiresAt, ...takenBack].join(" ");
}

/** Whether a transfer or time may still change what a payer sees. */
export function mayChange(snapshot: SessionSnapshot, now: Date): boolean {
  return pace(snapshot, now) !== "final";
}

function pace(snapshot: SessionSnapshot, now: Date): keyof typeof POLL_AFTER_MS {
  if (isOpen(snapshot)) return "open";
  const awaitsMore = snapshot.status === "expired" || (snapshot.status === "underpaid" && !snapshot.amountReversed);
  return awaitsMore && timeOf(snapshot, now).getTime() < Date.parse(snapshot.watchUntil) ? "watched" : "final";
}
