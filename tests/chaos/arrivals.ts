import { type Delivered, keyOf, keyOfEvent, type Observations } from "./observations.ts";

/** When the event of each incoming transfer first reached the merchant, by the transfer's key. */
export function firstArrivals(delivered: readonly Delivered[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { mode, event, data, at } of delivered) {
    if (mode !== "live" || event !== "collection.success") continue;
    const key = keyOfEvent(data);
    if (!first.has(key)) first.set(key, at);
  }
  return first;
}

/** Transfers that were answered with 200 and whose event was never delivered. */
export function undelivered({ reported, delivered }: Pick<Observations, "reported" | "delivered">) {
  const arrived = firstArrivals(delivered);
  return reported.filter((transfer) => transfer.acknowledgedAt !== undefined && !arrived.has(keyOf(transfer)));
}

/** Missing numbers below the highest that a merchant has received in a mode. */
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
 * Milliseconds from `endedAt` until every transfer acknowledged by then was delivered; undefined if one never was.
 * Times as `Date.now()`.
 */
export function timeToRecover({ reported, delivered }: Pick<Observations, "reported" | "delivered">, endedAt: number) {
  const arrived = firstArrivals(delivered);
  let last = endedAt;
  for (const transfer of reported) {
    if (transfer.acknowledgedAt === undefined || transfer.acknowledgedAt > endedAt) continue;
    const at = arrived.get(keyOf(transfer));
    if (at === undefined) return undefined;
    last = Math.max(last, at);
  }
  return last - endedAt;
}
