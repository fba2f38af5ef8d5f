import { type CreatedSession, koboOf } from "../observations.ts";
import { read } from "./api.ts";
import { type Invariant, listed } from "./invariant.ts";

/** Compares each session in the merchant API with the bank's payment and the events. */
export const sessions: Invariant = async (world) => {
  const { delivered, sessions: created } = world.observations;
  const receivedBySession = new Map<string, Map<string, number>>();
  for (const { event, mode, data } of delivered) {
    if (mode !== "live" || event !== "collection.success" || !data.payment_reference) continue;
    const collections = receivedBySession.get(data.payment_reference) ?? new Map<string, number>();
    receivedBySession.set(data.payment_reference, collections.set(data.reference, koboOf(data.amount)));
  }
  const wrong: string[] = [];
  for (const session of created) {
    const { status, amount_received, collections } = await read(
      world,
      session.merchant,
      `/payments/${session.reference}`,
    );
    const received = koboOf(amount_received);
    const fromEvents = sum([...(receivedBySession.get(session.reference)?.values() ?? [])]);
    const listedSum = sum((collections as { amount: number }[]).map(({ amount }) => koboOf(amount)));
    const isAcknowledged = session.paidBy?.acknowledgedAt !== undefined;
    const paid = isAcknowledged && !(received === 0 && mayBeUnmatched(session)) ? (session.paidBy?.amount ?? 0) : 0;
    const summary = `${session.reference} (${session.plan}) is ${status} with ${received} of ${session.amount}`;
    if (received !== fromEvents || received !== listedSum)
      wrong.push(`${summary}; its events say ${fromEvents}, its collections ${listedSum}`);
    // A report without a response may have been recorded.
    else if (received !== paid && isAcknowledged) wrong.push(`${summary}; ${paid} was paid`);
    else if (!allowedStatuses(session, received).includes(String(status)))
      wrong.push(`${summary}; it must be ${allowedStatuses(session, received).join(" or ")}`);
  }
  return listed("a session", wrong);
};

/** Beyond this distance from the expiry it is certain on which side of it the transfer was recorded. */
const CLOCK_MARGIN_MS = 1_000;

/** After its expiry a session takes its exact amount alone: another one that a slow machine reported so late is credited without it. */
export function mayBeUnmatched({ amount, expiresAtMs, paidBy }: CreatedSession): boolean {
  if (paidBy?.acknowledgedAt === undefined || paidBy.amount === amount) return false;
  return paidBy.acknowledgedAt >= expiresAtMs - CLOCK_MARGIN_MS;
}

/** Whether money is in time depends on when it was recorded: between the first report and the first response. */
export function allowedStatuses({ amount, expiresAtMs, paidBy }: CreatedSession, received: number): string[] {
  if (received === 0) return ["pending", "processing", "expired"];
  const inTime = received === amount ? "paid" : received < amount ? "underpaid" : "overpaid";
  if (!paidBy) return [];
  if ((paidBy.acknowledgedAt ?? Number.POSITIVE_INFINITY) < expiresAtMs - CLOCK_MARGIN_MS) return [inTime];
  if (paidBy.firstSentAt > expiresAtMs + CLOCK_MARGIN_MS) return ["paid_late"];
  return [inTime, "paid_late"];
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
