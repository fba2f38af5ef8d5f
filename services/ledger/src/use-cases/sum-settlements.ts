import { type MerchantScope, Problem } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import { createKeyedQueue } from "@collect/runtime";
import { LRUCache } from "lru-cache";
import type { LineSums } from "../store/settlement-history.ts";
import type { Settlement } from "../store/settlements.ts";

/** What the lines of a settlement come to, in kobo: received, fee, what Settled covered, and what was settled. */
export type SettlementTotals = { amount: Kobo; fee: Kobo; covered?: Kobo; net: Kobo };
export type SettlementSums = (settlement: Settlement) => Promise<SettlementTotals>;

/**
 * The settlements whose sums are kept in memory, the entries that one page of settlements may sum, and how many requests of a merchant
 * wait for a sum: those of a server that reads a quarter's settlements at once. Most are summed in milliseconds.
 */
const [KEPT_MAX, ENTRIES_MAX, WAITING_MAX] = [1_000, 1_000_000n, 100];

/**
 * Sums the lines of settlements, those of a merchant one after the other: a large one takes seconds of a connection that all
 * merchants' lists share. Entries do not change, so a sum is kept, and every page of a settlement has it. Throws if the lines do
 * not come to what was settled: such a settlement must not be shown as if they did.
 */
export function createSettlementSums(
  sum: (merchant: MerchantScope, versions: [bigint, bigint]) => Promise<LineSums>,
): SettlementSums {
  const kept = new LRUCache<string, SettlementTotals>({ max: KEPT_MAX });
  const enqueue = createKeyedQueue({
    waitingMax: WAITING_MAX,
    refuse: () =>
      new Problem("service_unavailable", "Too many settlements at once for this merchant. Try again shortly."),
  });
  return async ({ reference, merchant_id: id, mode, from_version, to_version, amount: net }) => {
    // A restored ledger can settle another range under the same reference.
    const key = `${reference} ${from_version} ${to_version} ${net}`;
    const totals = async () => {
      const { gross, fee, covered, amount } = await sum({ id, mode }, [from_version, to_version]);
      if (amount !== net) throw new Error(`the lines of ${reference} come to ${amount} kobo, and it settled ${net}`);
      const summed = { amount: gross, fee, ...(covered && { covered }), net };
      kept.set(key, summed);
      return summed;
    };
    return kept.get(key) ?? enqueue(id, async () => kept.get(key) ?? totals());
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
