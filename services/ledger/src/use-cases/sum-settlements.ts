import type { Kobo } from "@collect/money";
import { LRUCache } from "lru-cache";
import { after } from "../domain/books.ts";
import type { Settlement } from "../store/settlements.ts";
import type { createSums } from "./sum-months.ts";

/** What the lines of a settlement come to, in kobo: received, fee, and what was settled of it. */
export type SettlementTotals = { amount: Kobo; fee: Kobo; net: Kobo };
export type SettlementSums = (settlement: Settlement) => Promise<SettlementTotals>;

/** The settlements whose sums are kept in memory, and the entries that one page of settlements may sum. */
const [KEPT_MAX, ENTRIES_MAX] = [1_000, 1_000_000n];
const NONE = { collected: 0n, payouts: 0n, settled: 0n };

/**
 * Sums the lines of settlements. Entries do not change, so a sum is kept, and every page of a settlement has it. Throws if the
 * lines do not come to what was settled: such a settlement must not be shown as if they did.
 */
export function createSettlementSums(sum: ReturnType<typeof createSums>): SettlementSums {
  const kept = new LRUCache<string, SettlementTotals>({ max: KEPT_MAX });
  return async (settlement) => {
    const { reference, merchant_id: id, mode, from_version, to_version, amount: net } = settlement;
    // A restored ledger can settle another range under the same reference.
    const key = `${reference} ${from_version} ${to_version} ${net}`;
    const known = kept.get(key);
    if (known) return known;
    const period = { start: { ...NONE, collected: from_version }, end: { ...NONE, collected: to_version } };
    const { sum: moved } = await sum({ id, mode }, period);
    // Settlements that ran late can lie within the range of a later one; they are no lines of it.
    const { collected } = after({ collected: 0n, settled: 0n }, { ...moved, settled: 0n });
    if (collected !== net)
      throw new Error(`the lines of ${reference} come to ${collected} kobo, and it settled ${net}`);
    const totals = { amount: moved.moneyIn, fee: moved.fee, net };
    kept.set(key, totals);
    return totals;
  };
}

/** How many of these settlements can be summed for one page: at least one, however large. */
export function withinSums(settlements: Settlement[]): number {
  let entries = 0n;
  const beyond = settlements.findIndex(({ from_version, to_version }) => {
    entries += to_version - from_version;
    return entries > ENTRIES_MAX;
  });
  return beyond < 0 ? settlements.length : Math.max(beyond, 1);
}
