import type { SessionStatus } from "@collect/contracts";

/** A model of a session, written only from the specification. Amounts in kobo, times in minutes since the run began. */
export type ModelSession = {
  reference: string;
  account: string;
  /** On a customer's own account, or on a shared collection account. */
  own: boolean;
  amount: number;
  received: number;
  status: SessionStatus;
  expiresAt: number;
  watchUntil: number;
  reportedSent: boolean;
  /** The amounts of matched transfers, in order. */
  collections: number[];
};

const EXPIRY = 30;
const WATCH = { own: 24 * 60, shared: 2 * 60 };

export function createModelSession(
  given: Pick<ModelSession, "reference" | "account" | "own" | "amount">,
  now: number,
): ModelSession {
  const expiresAt = now + EXPIRY;
  return {
    ...given,
    received: 0,
    status: "pending",
    expiresAt,
    watchUntil: expiresAt + (given.own ? WATCH.own : WATCH.shared),
    reportedSent: false,
    collections: [],
  };
}

const isWaiting = ({ status }: ModelSession) => status === "pending" || status === "processing";
const isOpen = (session: ModelSession) => isWaiting(session) || session.status === "underpaid";

export function passTime(sessions: ModelSession[], now: number): void {
  for (const session of sessions) if (isWaiting(session) && session.expiresAt <= now) session.status = "expired";
}

export function reportSent(session: ModelSession, now: number): void {
  if (session.status !== "pending" || now >= session.expiresAt) return;
  const watch = session.watchUntil - session.expiresAt;
  session.status = "processing";
  session.reportedSent = true;
  session.expiresAt = Math.max(session.expiresAt, now + 30);
  session.watchUntil = session.expiresAt + watch;
}

/** Matches a transfer of this amount and updates its session. Sessions are in the order of their creation. */
export function payInto(sessions: ModelSession[], money: { account: string; amount: number }, now: number): void {
  const there = sessions.filter(({ account, watchUntil }) => account === money.account && now < watchUntil).reverse();
  const exact = there.filter(({ amount }) => amount === money.amount);
  const missing = there.filter(
    ({ status, amount, received }) => status === "underpaid" && amount - received === money.amount,
  );
  const newestOpen = there.filter((session) => session.own && isOpen(session));
  const session =
    exact.find((each) => isOpen(each) || each.status === "expired") ?? missing[0] ?? exact[0] ?? newestOpen[0];
  if (!session) return;
  session.received += money.amount;
  session.collections.push(money.amount);
  session.status = after(session);
}

function after({ status, amount, received }: ModelSession): SessionStatus {
  if (status === "expired") return "paid_late";
  if (status === "paid" || status === "overpaid" || status === "paid_late") return status;
  if (received === amount) return "paid";
  return received < amount ? "underpaid" : "overpaid";
}
