import { type Metadata, type Mode, type OpenedBy, Problem, type SessionStatus } from "@collect/contracts";
import { formatNaira, type Kobo, PAYMENT_MAX_KOBO } from "@collect/money";

/**
 * The largest amount of a session, whatever the merchant's limit: with its kobo suffix it still fits one bank transfer.
 */
export const AMOUNT_MAX: Kobo = PAYMENT_MAX_KOBO - 99n;

export const aboveLimit = (limit: Kobo): Problem =>
  new Problem("amount_over_limit", `One payment may ask for at most ${formatNaira(limit)}.`);

/** A payment session: an exact amount that a payer is asked to transfer to an account. */
export type PaymentSession = {
  reference: string;
  merchantId: string;
  mode: Mode;
  merchantName: string;
  merchantReference: string | null;
  openedBy: OpenedBy;
  /** The slug of the link it was created through. */
  paymentLink: string | null;
  linkKey: string | null;
  /** With a public key: the caller's proof that a repeat is its own. */
  clientNonce: string | null;
  /** The amount requested and the kobo suffix; without an account, the amount requested. */
  amount: bigint;
  amountRequested: bigint;
  amountReceived: bigint;
  /** How much of that banks took back. */
  amountReversed: bigint;
  /** Null in a session of a public key until its payer's details are given. */
  accountNumber: string | null;
  accountName: string | null;
  bankName: string | null;
  /** When the account was assigned, if that was after the session was created. */
  quotedAt: string | null;
  customerReference: string | null;
  customerName: string | null;
  /** The details that the payer of an anonymous session gave at the checkout. */
  payerName: string | null;
  payerEmail: string | null;
  detailsRequired: boolean;
  description: string | null;
  redirectUrl: string | null;
  status: SessionStatus;
  createdAt: string;
  expiresAt: string;
  sentAt: string | null;
  /** A transfer that accounts received before then still changes the session. */
  watchUntil: string;
  paidAt: string | null;
  metadata: Metadata;
  version: number;
};

/**
 * An event in the life of a session. A transfer counts at the time at which accounts received it, not at which payments
 * processes it; one that a person attaches, when they do.
 */
export type SessionEvent =
  | { kind: "sent"; at: string; extensionMs: number }
  | { kind: "time_up"; at: string }
  | { kind: "transfer"; at: string; amount: bigint }
  | { kind: "attached"; at: string; amount: bigint };

/**
 * The session after the event, or undefined when the event has no effect in its state. There are no other transitions.
 */
export function applyEvent<Given extends PaymentSession>(session: Given, event: SessionEvent): Given | undefined {
  switch (event.kind) {
    case "sent":
      return afterSent(session, event);
    case "time_up":
      return afterTimeUp(session, event.at);
    case "transfer":
      return isInWatchWindow(session, event.at) ? afterTransfer(session, event) : undefined;
    case "attached":
      return afterAttached(session, event);
  }
}

/** When the session took its slot: no earlier transfer can be for it. */
export const payableSince = ({ quotedAt, createdAt }: PaymentSession): string => quotedAt ?? createdAt;

/** Whether a transfer received at this instant may be for the session at all. */
export function isInWatchWindow(session: PaymentSession, at: string): boolean {
  return session.accountNumber !== null && !isBefore(at, payableSince(session)) && isBefore(at, session.watchUntil);
}

/** Whether any amount on a customer's own account may be for the session: it is unpaid or underpaid. */
export function isOpen(session: PaymentSession, at: string): boolean {
  const { status, expiresAt } = session;
  if (status === "underpaid") return takesMore(session) && isInWatchWindow(session, at);
  return (status === "pending" || status === "processing") && isBefore(at, expiresAt);
}

/**
 * The payer reports that the money is sent: the expiry is extended, once, and the watch window moves by the same time.
 */
function afterSent<Given extends PaymentSession>(
  session: Given,
  { at, extensionMs }: { at: string; extensionMs: number },
): Given | undefined {
  const isPayable = session.accountNumber !== null && isBefore(at, session.expiresAt);
  if (session.status !== "pending" || !isPayable) return undefined;
  const delayMs = Math.max(0, Date.parse(at) + extensionMs - Date.parse(session.expiresAt));
  return {
    ...session,
    status: "processing",
    sentAt: at,
    expiresAt: later(session.expiresAt, delayMs),
    watchUntil: later(session.watchUntil, delayMs),
  };
}

/** The session as if its expiry were now. Its watch window stays: a transfer on its way is still matched to it. */
export function endedNow<Given extends PaymentSession & { lockedAt: string }>(session: Given): Given | undefined {
  const { expiresAt, lockedAt } = session;
  const endsAt = isBefore(expiresAt, lockedAt) ? expiresAt : lockedAt;
  return applyEvent({ ...session, expiresAt: endsAt }, { kind: "time_up", at: lockedAt });
}

function afterTimeUp<Given extends PaymentSession>(session: Given, at: string): Given | undefined {
  const { status, expiresAt } = session;
  if ((status !== "pending" && status !== "processing") || isBefore(at, expiresAt)) return undefined;
  return { ...session, status: "expired" };
}

function afterTransfer<Given extends PaymentSession>(
  session: Given,
  transfer: { at: string; amount: bigint },
): Given | undefined {
  const isExact = transfer.amount === session.amount;
  const amountReceived = session.amountReceived + transfer.amount;
  const { status }: PaymentSession = session;
  switch (status) {
    case "pending":
    case "processing": {
      // The session had ended when the transfer was received, whether or not the expiry worker has recorded it.
      const expired = afterTimeUp(session, transfer.at);
      return expired ? afterTransfer(expired, transfer) : withReceived(session, amountReceived, transfer.at);
    }
    case "underpaid":
      return takesMore(session) ? withReceived(session, amountReceived, transfer.at) : undefined;
    case "expired":
      return isExact ? { ...session, status: "paid_late", amountReceived, paidAt: transfer.at } : undefined;
    case "paid":
    case "overpaid":
    case "paid_late":
      return isExact ? { ...session, amountReceived } : undefined;
    default:
      return status satisfies never;
  }
}

/**
 * A person says that money which matched nothing is for the session: any amount counts, whatever its window, until the session is paid.
 * An expired one leaves that state only by what it has received, so that part of the amount makes it underpaid.
 */
function afterAttached<Given extends PaymentSession>(
  session: Given,
  { at, amount }: { at: string; amount: bigint },
): Given | undefined {
  if (session.accountNumber === null || isPaid(session) || !takesMore(session)) return undefined;
  const isLate = session.status === "expired" || afterTimeUp(session, at) !== undefined;
  const after = withReceived(session, session.amountReceived + amount, at);
  return isLate && after.status === "paid" ? { ...after, status: "paid_late" } : after;
}

/**
 * The session with money that was for it before a restore and fits it no more, because other money is repeated first: it becomes what it
 * was in the other order. Its exact amount once more changes no status: it was paid twice. Undefined if the account that it was paid to is lost.
 */
export function paidAgain<Given extends PaymentSession>(
  session: Given,
  { at, amount }: { at: string; amount: bigint },
): Given | undefined {
  if (session.accountNumber === null) return undefined;
  const amountReceived = session.amountReceived + amount;
  if (!isPaid(session)) return withReceived(session, amountReceived, at);
  return { ...session, status: amount === session.amount ? session.status : "overpaid", amountReceived };
}

/**
 * Of an unpaid session of whose money a bank took some back, nothing more can be said to complete it: it would be paid by money that
 * is not there. Further money is unmatched.
 */
export const takesMore = ({ amountReversed }: PaymentSession): boolean => amountReversed === 0n;

/** Whether it has received all that it asked for. */
export const isPaid = ({ status }: PaymentSession): boolean =>
  status === "paid" || status === "overpaid" || status === "paid_late";

function withReceived<Given extends PaymentSession>(session: Given, amountReceived: bigint, at: string): Given {
  if (amountReceived < session.amount) return { ...session, status: "underpaid", amountReceived };
  return { ...session, status: amountReceived === session.amount ? "paid" : "overpaid", amountReceived, paidAt: at };
}

const isBefore = (one: string, other: string): boolean => Date.parse(one) < Date.parse(other);
const later = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString();
