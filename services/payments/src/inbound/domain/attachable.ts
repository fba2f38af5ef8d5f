import { applyEvent, isPaid, type PaymentSession } from "./session.ts";
import { nameOf } from "./session-view.ts";

/** Which session money that matched nothing may be for, for a person to decide. */

type Money = { amount: bigint; payerName: string; paidAt: string };

/** A session, and what it would be with the money; null if it takes none. */
export type Candidate = { session: PaymentSession; after: PaymentSession | null };

export const candidateOf = (session: PaymentSession, { amount }: Money, now: string): Candidate => ({
  session,
  after: applyEvent(session, { kind: "attached", at: now, amount }) ?? null,
});

/** The likeliest first: nearest in amount, then by the payer's name, then by time. What takes no money comes last. */
export function ranked(candidates: Candidate[], money: Money): Candidate[] {
  const costs = new Map(candidates.map((candidate) => [candidate, costOf(candidate, money)]));
  return candidates.toSorted(
    (one, other) =>
      (costs.get(one) ?? 0) - (costs.get(other) ?? 0) || (one.session.reference < other.session.reference ? -1 : 1),
  );
}

const DAY_MS = 86_400_000;

/** Each part is from 0 to 1: how far the amount is off, whether no name is shared, how long the session was created before or after. */
function costOf({ session, after }: Candidate, { amount, payerName, paidAt }: Money): number {
  const wanted = isPaid(session) ? session.amount : session.amount - session.amountReceived;
  const [less, more] = wanted < amount ? [wanted, amount] : [amount, wanted];
  const apart = Math.abs(Date.parse(paidAt) - Date.parse(session.createdAt));
  const off = Number(more - less) / Number(more);
  const strange = sharesAName(nameOf(session) ?? "", payerName) ? 0 : 1;
  return (after === null ? 10 : 0) + 4 * off + strange + apart / (apart + DAY_MS);
}

/** Banks write names in capitals, and in any order. Initials and titles are too short to count. */
export function sharesAName(one: string, other: string): boolean {
  const words = new Set(wordsOf(one));
  return wordsOf(other).some((word) => words.has(word));
}

const wordsOf = (name: string): string[] =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 2);
