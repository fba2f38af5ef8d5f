import { type Books, type Delivered, keyOf, keyOfEvent } from "./books.ts";

/** When the event of each incoming transfer first reached the merchant, by what tells the transfer apart. */
export function firstArrivals(delivered: readonly Delivered[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { mode, event, data, at } of delivered) {
    if (mode !== "live" || event !== "collection.success") continue;
    const key = keyOfEvent(data);
    if (!first.has(key)) first.set(key, at);
  }
  return first;
}

/** Transfers that were answered 200 and whose event no merchant has. */
export function undelivered({ reported, delivered }: Pick<Books, "reported" | "delivered">) {
  const arrived = firstArrivals(delivered);
  return reported.filter((transfer) => transfer.answeredAt !== undefined && !arrived.has(keyOf(transfer)));
}

/** Numbers below the highest that a merchant has got in a mode, and that it has not got. */
export function gaps(delivered: readonly Delivered[]): { merchant: number; mode: string; missing: number[] }[] {
  const scopes = Map.groupBy(delivered, ({ merchant, mode }) => `${merchant} ${mode}`);
  return [...scopes.values()].flatMap((deliveries) => {
    const got = new Set(deliveries.map(({ sequence }) => sequence));
    const highest = deliveries.reduce((max, { sequence }) => Math.max(max, sequence), 0);
    const missing = Array.from({ length: highest }, (_, index) => index + 1).filter((sequence) => !got.has(sequence));
    const [{ merchant, mode } = { merchant: -1, mode: "" }] = deliveries;
    return missing.length > 0 ? [{ merchant, mode, missing }] : [];
  });
}

/**
 * Milliseconds from a moment until every transfer that had been answered by then was delivered; undefined when one never
 * was. Times as `Date.now()`.
 */
export function timeToRecover({ reported, delivered }: Pick<Books, "reported" | "delivered">, endedAt: number) {
  const arrived = firstArrivals(delivered);
  let last = endedAt;
  for (const transfer of reported) {
    if (transfer.answeredAt === undefined || transfer.answeredAt > endedAt) continue;
    const at = arrived.get(keyOf(transfer));
    if (at === undefined) return undefined;
    last = Math.max(last, at);
  }
  return last - endedAt;
}
