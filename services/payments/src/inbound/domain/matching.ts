import type { MerchantScope } from "@collect/contracts";
import { collectionReference } from "./reference.ts";
import { after, isOpen, isWatching, type PaymentSession } from "./session.ts";

/** Money that came, as far as matching asks. `customer` is null when it came into a collection account. */
export type Money = {
  intakeId: string;
  merchant: MerchantScope;
  accountNumber: string;
  customer: object | null;
  amount: bigint;
  /** When the bank says it was paid, and when accounts took it in. */
  paidAt: string;
  receivedAt: string;
};

/**
 * How far the bank's `paid_at` may lie before the truth: its clock may be behind ours, and many banks report whole seconds or
 * minutes. Shorter than the pause of a slot, so that it never reaches from one session's time into the next one's.
 */
export type Tolerance = { toleranceMs: number };

/** Sessions are created by the clock of one database and money is received by another's: so far the two may be apart. */
export const CLOCKS_APART_MS = 1_000;

/**
 * Sessions that came to be after this moment cannot be meant by the money: nobody pays what was not asked yet. It is when
 * the bank says it was paid, with the tolerance, and never later than when it was received: a `paid_at` in the future says no
 * more than that. One that lies far in the past, whatever the reason, is older than every session, and matches none.
 */
export function meantBefore(
  { paidAt, receivedAt }: Pick<Money, "paidAt" | "receivedAt">,
  tolerance: Tolerance,
): string {
  const paidAtLatest = Date.parse(paidAt) + tolerance.toleranceMs;
  return new Date(Math.min(paidAtLatest, Date.parse(receivedAt) + CLOCKS_APART_MS)).toISOString();
}

/** What a collection is for, and its public reference. */
export type Match<Given extends Money> = { money: Given; session: PaymentSession | null; reference: string };

/**
 * Finds the session of each of the amounts, in the order in which they came: what one does to its session is known to the
 * next. Gives every amount with its match and public reference, and the sessions that changed.
 */
export function matchMoney<Given extends Money>(
  sessions: PaymentSession[],
  money: Given[],
  tolerance: Tolerance,
): { matches: Match<Given>[]; changed: PaymentSession[] } {
  const byAccount = Map.groupBy(sessions, accountOf);
  const changed = new Map<string, PaymentSession>();
  const matches = money.toSorted(byArrival).map((one): Match<Given> => {
    const account = accountOf({
      merchantId: one.merchant.id,
      mode: one.merchant.mode,
      accountNumber: one.accountNumber,
    });
    const candidates = byAccount.get(account) ?? [];
    const session = sessionFor(candidates, one, tolerance);
    const paid = session && after(session, { kind: "money", at: one.receivedAt, amount: one.amount });
    if (!session || !paid) return { money: one, session: null, reference: collectionReference(one.intakeId) };
    byAccount.set(
      account,
      candidates.map((candidate) => (candidate === session ? paid : candidate)),
    );
    changed.set(paid.reference, paid);
    // The first collection of a session carries the session's reference, every other its own.
    const isFirst = session.amountReceived === 0n;
    return { money: one, session, reference: isFirst ? session.reference : collectionReference(one.intakeId) };
  });
  return { matches, changed: [...changed.values()] };
}

/**
 * Of the sessions that were there when the money was paid: exactly what one asks comes first, then exactly what is missing of
 * one; exact money for a session that is already paid is attached to it. Any other amount is for the newest open session, and
 * only on a customer's own account. Whether it came in time is judged by when it was received.
 */
export function sessionFor(candidates: PaymentSession[], money: Money, tolerance: Tolerance) {
  const { amount, receivedAt, customer } = money;
  const latest = Date.parse(meantBefore(money, tolerance));
  const meant = candidates.filter(({ createdAt }) => Date.parse(createdAt) <= latest);
  const watching = meant.filter((session) => isWatching(session, receivedAt));
  const exact = newest(watching.filter((session) => session.amount === amount));
  if (!customer || (exact && !isPaid(exact))) return exact;
  const open = watching.filter((session) => isOpen(session, receivedAt));
  const completed = newest(open.filter((session) => session.amount - session.amountReceived === amount));
  return completed ?? exact ?? newest(open);
}

const isPaid = ({ status }: PaymentSession): boolean =>
  status === "paid" || status === "overpaid" || status === "paid_late";

function newest(sessions: PaymentSession[]): PaymentSession | undefined {
  return sessions.reduce<PaymentSession | undefined>(
    (best, session) => (best && !isNewer(session, best) ? best : session),
    undefined,
  );
}

function isNewer(one: PaymentSession, other: PaymentSession): boolean {
  const difference = Date.parse(one.createdAt) - Date.parse(other.createdAt);
  return difference > 0 || (difference === 0 && one.reference > other.reference);
}

function byArrival(one: Money, other: Money): number {
  return Date.parse(one.receivedAt) - Date.parse(other.receivedAt) || (one.intakeId < other.intakeId ? -1 : 1);
}

const accountOf = ({
  merchantId,
  mode,
  accountNumber,
}: Pick<PaymentSession, "merchantId" | "mode" | "accountNumber">) => `${mode} ${accountNumber} ${merchantId}`;
