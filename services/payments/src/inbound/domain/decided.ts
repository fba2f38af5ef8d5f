import type { readDecisions, WireResult } from "@collect/contracts";
import type { Match, Money } from "./matching.ts";
import { after, type PaymentSession } from "./session.ts";

/** The step of a recovery in which collections come round again, and what was decided about them is read from webhooks. */
export const COLLECTIONS = "collections";

/** What a merchant's event says of a collection. */
export type Decision = WireResult<typeof readDecisions>["decisions"][number];

/** Money with what was decided about it: its reference and its session. */
type Decided = Money & { reference: string; paymentReference: string | null };

/**
 * Moves on the sessions of money that was matched before: what the merchants were sent of it is not decided anew. Gives every
 * amount as it is, and the sessions that changed.
 */
export function matchAsDecided<Given extends Decided>(
  sessions: PaymentSession[],
  money: Given[],
): { matches: Match<Given>[]; changed: PaymentSession[] } {
  const standing = new Map(sessions.map((session) => [session.reference, session]));
  const changed = new Set<string>();
  for (const { paymentReference, amount, receivedAt } of money.toSorted(byReceipt)) {
    const session = paymentReference === null ? undefined : standing.get(paymentReference);
    const paid = session && after(session, { kind: "money", at: receivedAt, amount });
    if (!paid) continue;
    standing.set(paid.reference, paid);
    changed.add(paid.reference);
  }
  return {
    matches: money.map((one) => ({ money: one, session: null, reference: one.reference })),
    changed: [...standing.values()].filter(({ reference }) => changed.has(reference)),
  };
}

const byReceipt = (one: Money, other: Money) => Date.parse(one.receivedAt) - Date.parse(other.receivedAt);
