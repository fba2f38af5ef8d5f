import { koboOf, type OpenedSession } from "../books.ts";
import { read } from "./api.ts";
import { type Invariant, listed } from "./invariant.ts";

/** Each session as the merchant API shows it, beside what the bank was made to pay and what the events said. */
export const sessions: Invariant = async (world) => {
  const { delivered, sessions: opened } = world.books;
  const receivedBySession = new Map<string, Map<string, number>>();
  for (const { event, mode, data } of delivered) {
    if (mode !== "live" || event !== "collection.success" || !data.payment_reference) continue;
    const collections = receivedBySession.get(data.payment_reference) ?? new Map<string, number>();
    receivedBySession.set(data.payment_reference, collections.set(data.reference, koboOf(data.amount)));
  }
  const wrong: string[] = [];
  for (const session of opened) {
    const { status, amount_received, collections } = await read(
      world,
      session.merchant,
      `/payments/${session.reference}`,
    );
    const received = koboOf(amount_received);
    const fromEvents = sum([...(receivedBySession.get(session.reference)?.values() ?? [])]);
    const listedSum = sum((collections as { amount: number }[]).map(({ amount }) => koboOf(amount)));
    const paid = session.paidBy?.answeredAt === undefined ? 0 : session.paidBy.amount;
    const shown = `${session.reference} (${session.plan}) is ${status} with ${received} of ${session.amount}`;
    if (received !== fromEvents || received !== listedSum)
      wrong.push(`${shown}; its events say ${fromEvents}, its collections ${listedSum}`);
    // A report that was never answered may have been taken in.
    else if (received !== paid && session.paidBy?.answeredAt !== undefined) wrong.push(`${shown}; ${paid} was paid`);
    else if (!mayBe(session, received).includes(String(status)))
      wrong.push(`${shown}; it must be ${mayBe(session, received).join(" or ")}`);
  }
  return listed("a session", wrong);
};

/** How far the moment that decides lies beyond doubt on one side of the end. */
const CERTAIN_MS = 1_000;

/** Whether money was in time is decided when it was taken in: between the first report and the first answer. */
export function mayBe({ amount, expiresAtMs, paidBy }: OpenedSession, received: number): string[] {
  if (received === 0) return ["pending", "processing", "expired"];
  const inTime = received === amount ? "paid" : received < amount ? "underpaid" : "overpaid";
  if (!paidBy) return [];
  if ((paidBy.answeredAt ?? Number.POSITIVE_INFINITY) < expiresAtMs - CERTAIN_MS) return [inTime];
  if (paidBy.firstSentAt > expiresAtMs + CERTAIN_MS) return ["paid_late"];
  return [inTime, "paid_late"];
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
