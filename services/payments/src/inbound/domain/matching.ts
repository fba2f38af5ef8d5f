import type { MerchantScope } from "@collect/contracts";
import { collectionReference } from "./reference.ts";
import {
  applyEvent,
  isInWatchWindow,
  isOpen,
  isPaid,
  type PaymentSession,
  payableSince,
  takesMore,
} from "./session.ts";

/**
 * An inbound transfer, with the fields that matching needs. `customer` is null for a transfer to a collection account.
 */
export type InboundTransfer = {
  intakeId: string;
  merchant: MerchantScope;
  accountNumber: string;
  customer: object | null;
  amount: bigint;
  /** When the transfer was paid according to the bank, and when accounts received it. */
  paidAt: string;
  receivedAt: string;
  /** When that was by the merchant's test clock, if it is ahead of real time. */
  clockedAt?: string | undefined;
};

/** When it was received, by the clock of the sessions that it may be for. */
export const arrivalOf = ({ receivedAt, clockedAt }: Pick<InboundTransfer, "receivedAt" | "clockedAt">): string =>
  clockedAt ?? receivedAt;

/**
 * How far the bank's `paid_at` may lie before the true time: its clock may be slow, and many banks report whole
 * seconds or minutes. Shorter than the pause of a slot, so that it never reaches from one session's time into the next
 * one's.
 */
export type Tolerance = { toleranceMs: number };

/**
 * Sessions are created by the clock of one database and transfers received by that of another: the maximum difference
 * between the two.
 */
export const CLOCK_SKEW_MAX_MS = 1_000;

/**
 * A transfer cannot be meant for a session that was created after this cutoff: nobody pays what has not been requested
 * yet. The cutoff is the time at which the bank says the transfer was paid, plus the tolerance, and at the latest the
 * time at which it was received: a `paid_at` in the future carries no more information. A `paid_at` far in the past,
 * whatever the reason, is older than every session, and the transfer matches none.
 */
export function candidateCutoff(
  transfer: Pick<InboundTransfer, "paidAt" | "receivedAt" | "clockedAt">,
  tolerance: Tolerance,
): string {
  const paidAtLatest = Date.parse(transfer.paidAt) + tolerance.toleranceMs;
  return new Date(Math.min(paidAtLatest, Date.parse(arrivalOf(transfer)) + CLOCK_SKEW_MAX_MS)).toISOString();
}

/** The session that a transfer is for, and the public reference of its collection. */
export type Match<Given extends InboundTransfer> = {
  transfer: Given;
  session: PaymentSession | null;
  reference: string;
};

/**
 * Finds the session of each transfer, in the order in which they were received: the effect of one on its session is
 * visible to the next. Returns every transfer with its match and public reference, and the sessions that changed.
 */
export function matchTransfers<Given extends InboundTransfer>(
  sessions: PaymentSession[],
  transfers: Given[],
  tolerance: Tolerance,
): { matches: Match<Given>[]; changed: PaymentSession[] } {
  const byAccount = Map.groupBy(sessions, accountOf);
  const changed = new Map<string, PaymentSession>();
  const matches = transfers.toSorted(byArrival).map((transfer): Match<Given> => {
    const account = accountOf({
      merchantId: transfer.merchant.id,
      mode: transfer.merchant.mode,
      accountNumber: transfer.accountNumber,
    });
    const candidates = byAccount.get(account) ?? [];
    const session = sessionFor(candidates, transfer, tolerance);
    const paid = session && applyEvent(session, { kind: "transfer", at: arrivalOf(transfer), amount: transfer.amount });
    if (!session || !paid) return { transfer, session: null, reference: collectionReference(transfer.intakeId) };
    byAccount.set(
      account,
      candidates.map((candidate) => (candidate === session ? paid : candidate)),
    );
    changed.set(paid.reference, paid);
    // The first collection of a session has the session's reference, every other its own.
    const isFirst = session.amountReceived === 0n;
    return { transfer, session, reference: isFirst ? session.reference : collectionReference(transfer.intakeId) };
  });
  return { matches, changed: [...changed.values()] };
}

/**
 * Of the sessions that existed when the transfer was paid: one of exactly this amount comes first, then one that lacks
 * exactly this amount; an exact transfer for a session that is already paid is attached to it. Any other amount is for
 * the newest open session, and only on a customer's own account. Whether it was in time is judged by when it was
 * received. A session that takes no more is no candidate: another one may be meant.
 */
export function sessionFor(candidates: PaymentSession[], transfer: InboundTransfer, tolerance: Tolerance) {
  const { amount, customer } = transfer;
  const arrivedAt = arrivalOf(transfer);
  const latest = Date.parse(candidateCutoff(transfer, tolerance));
  const existing = candidates.filter((session) => Date.parse(payableSince(session)) <= latest);
  const takesMoney = (session: PaymentSession) => isPaid(session) || takesMore(session);
  const watched = existing.filter((session) => isInWatchWindow(session, arrivedAt) && takesMoney(session));
  const exact = newest(watched.filter((session) => session.amount === amount));
  if (!customer || (exact && !isPaid(exact))) return exact;
  const open = watched.filter((session) => isOpen(session, arrivedAt));
  const completed = newest(open.filter((session) => session.amount - session.amountReceived === amount));
  return completed ?? exact ?? newest(open);
}

function newest(sessions: PaymentSession[]): PaymentSession | undefined {
  return sessions.reduce<PaymentSession | undefined>(
    (best, session) => (best && !isNewer(session, best) ? best : session),
    undefined,
  );
}

function isNewer(one: PaymentSession, other: PaymentSession): boolean {
  const difference = Date.parse(payableSince(one)) - Date.parse(payableSince(other));
  return difference > 0 || (difference === 0 && one.reference > other.reference);
}

function byArrival(one: InboundTransfer, other: InboundTransfer): number {
  return Date.parse(one.receivedAt) - Date.parse(other.receivedAt) || (one.intakeId < other.intakeId ? -1 : 1);
}

const accountOf = ({
  merchantId,
  mode,
  accountNumber,
}: Pick<PaymentSession, "merchantId" | "mode" | "accountNumber">) => `${mode} ${accountNumber} ${merchantId}`;
