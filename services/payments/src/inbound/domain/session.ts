import { type Mode, type OpenedBy, Problem, type SessionStatus } from "@collect/contracts";
import { formatNaira, type Kobo, PAYMENT_MAX_KOBO } from "@collect/money";

/** The most that a session may ask for, whatever a merchant's limit: with its kobo suffix one payment can still bring it. */
export const AMOUNT_MAX: Kobo = PAYMENT_MAX_KOBO - 99n;

export const aboveLimit = (limit: Kobo): Problem =>
  new Problem("amount_over_limit", `One payment may ask for at most ${formatNaira(limit)}.`);

/** A payment session: an exact amount that a payer is asked to send to an account, and what became of it. */
export type PaymentSession = {
  reference: string;
  merchantId: string;
  mode: Mode;
  merchantName: string;
  merchantReference: string | null;
  openedBy: OpenedBy;
  /** The slug of the link it was opened through. */
  paymentLink: string | null;
  linkKey: string | null;
  /** The amount requested and the kobo suffix. */
  amount: bigint;
  amountRequested: bigint;
  amountReceived: bigint;
  accountNumber: string;
  accountName: string;
  bankName: string;
  customerReference: string | null;
  customerName: string | null;
  /** What the payer of an anonymous session said at the checkout. */
  payerName: string | null;
  payerEmail: string | null;
  detailsRequired: boolean;
  description: string | null;
  redirectUrl: string | null;
  status: SessionStatus;
  createdAt: string;
  expiresAt: string;
  sentAt: string | null;
  /** Money that accounts took in before then still changes the session. */
  watchUntil: string;
  paidAt: string | null;
  version: number;
};

/** What can happen to a session, and when. Money is judged by when accounts took it in, not by when we hear of it. */
export type SessionEvent =
  | { kind: "sent"; at: string; extensionMs: number }
  | { kind: "time_up"; at: string }
  | { kind: "money"; at: string; amount: bigint };

/** The session after what happened, or undefined when nothing of the kind can happen to it: no other transition exists. */
export function after<Given extends PaymentSession>(session: Given, event: SessionEvent): Given | undefined {
  switch (event.kind) {
    case "sent":
      return afterSent(session, event);
    case "time_up":
      return afterTimeUp(session, event.at);
    case "money":
      return isWatching(session, event.at) ? afterMoney(session, event) : undefined;
  }
}

/** Whether money of this moment may be for the session at all. */
export function isWatching({ createdAt, watchUntil }: PaymentSession, at: string): boolean {
  return !isBefore(at, createdAt) && isBefore(at, watchUntil);
}

/** Whether any amount on a customer's own account may be for the session: it waits for its money, or for the rest of it. */
export function isOpen(session: PaymentSession, at: string): boolean {
  const { status, expiresAt } = session;
  if (status === "underpaid") return isWatching(session, at);
  return (status === "pending" || status === "processing") && isBefore(at, expiresAt);
}

/** The payer says that the money is sent: expiry waits, once, and the watch window moves along by as much. */
function afterSent<Given extends PaymentSession>(
  session: Given,
  { at, extensionMs }: { at: string; extensionMs: number },
): Given | undefined {
  if (session.status !== "pending" || !isBefore(at, session.expiresAt)) return undefined;
  const delayMs = Math.max(0, Date.parse(at) + extensionMs - Date.parse(session.expiresAt));
  return {
    ...session,
    status: "processing",
    sentAt: at,
    expiresAt: later(session.expiresAt, delayMs),
    watchUntil: later(session.watchUntil, delayMs),
  };
}

function afterTimeUp<Given extends PaymentSession>(session: Given, at: string): Given | undefined {
  const { status, expiresAt } = session;
  if ((status !== "pending" && status !== "processing") || isBefore(at, expiresAt)) return undefined;
  return { ...session, status: "expired" };
}

function afterMoney<Given extends PaymentSession>(
  session: Given,
  money: { at: string; amount: bigint },
): Given | undefined {
  const isExact = money.amount === session.amount;
  const amountReceived = session.amountReceived + money.amount;
  switch (session.status) {
    case "pending":
    case "processing": {
      // Its time was up when the money came, whether or not somebody has noted it yet.
      const expired = afterTimeUp(session, money.at);
      return expired ? afterMoney(expired, money) : filled(session, amountReceived, money.at);
    }
    case "underpaid":
      return filled(session, amountReceived, money.at);
    case "expired":
      return isExact ? { ...session, status: "paid_late", amountReceived, paidAt: money.at } : undefined;
    case "paid":
    case "overpaid":
    case "paid_late":
      return isExact ? { ...session, amountReceived } : undefined;
  }
}

function filled<Given extends PaymentSession>(session: Given, amountReceived: bigint, at: string): Given {
  if (amountReceived < session.amount) return { ...session, status: "underpaid", amountReceived };
  return { ...session, status: amountReceived === session.amount ? "paid" : "overpaid", amountReceived, paidAt: at };
}

const isBefore = (one: string, other: string): boolean => Date.parse(one) < Date.parse(other);
const later = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString();
