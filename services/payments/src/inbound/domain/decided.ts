import type { readDecisions, WireResult } from "@collect/contracts";
import type { InboundTransfer, Match } from "./matching.ts";
import { applyEvent, type PaymentSession, paidAgain } from "./session.ts";

/** The step from which on reversals are recorded again. */
export const REVERSALS = "reversals";

/** The recovery step in which collections are re-driven, and the decisions on them are read from webhooks. */
export const COLLECTIONS = "collections";

/** The last recovery step: collections that were not decided before the restore are matched, now that their sessions are as they were. */
export const UNDECIDED = "collections that were not decided";

/** The recorded content of a merchant's event about a collection. */
export type Decision = WireResult<typeof readDecisions>["decisions"][number];

/** A transfer with the decision on it: its reference and its session. */
type Decided = InboundTransfer & { reference: string; paymentReference: string | null };

/**
 * Applies transfers that were matched before to their sessions: what merchants were notified of is not decided again.
 * Returns every transfer unchanged, and the sessions that changed.
 */
export function matchAsDecided<Given extends Decided>(
  sessions: PaymentSession[],
  transfers: Given[],
): { matches: Match<Given>[]; changed: PaymentSession[] } {
  const current = new Map(sessions.map((session) => [session.reference, session]));
  const changed = new Set<string>();
  for (const { paymentReference, amount, receivedAt } of transfers.toSorted(byReceipt)) {
    const session = paymentReference === null ? undefined : current.get(paymentReference);
    const paid = session && repeated(session, { at: receivedAt, amount });
    if (!paid) continue;
    current.set(paid.reference, paid);
    changed.add(paid.reference);
  }
  return {
    matches: transfers.map((transfer) => ({ transfer, session: null, reference: transfer.reference })),
    changed: [...current.values()].filter(({ reference }) => changed.has(reference)),
  };
}

/** It may have been matched to a session that a person had attached money to before, or after other money than here. */
const repeated = <Given extends PaymentSession>(
  session: Given,
  money: { at: string; amount: bigint },
): Given | undefined =>
  applyEvent(session, { kind: "transfer", ...money }) ??
  applyEvent(session, { kind: "attached", ...money }) ??
  paidAgain(session, money);

const byReceipt = (one: InboundTransfer, other: InboundTransfer) =>
  Date.parse(one.receivedAt) - Date.parse(other.receivedAt);
