import type { Kobo } from "@collect/money";

/** A merchant's books: its transactions as it sees them. In the ledger we owe; in the merchant's books it has. All in kobo. */

export type Balances = { collected: Kobo; settled: Kobo };

/** What a transaction does to Collected and Settled, in the columns of a statement. */
export type Movement = { moneyIn: Kobo; fee: Kobo; settled: Kobo; transferOut: Kobo; returned: Kobo };

export const NOTHING: Movement = { moneyIn: 0n, fee: 0n, settled: 0n, transferOut: 0n, returned: 0n };

/** Null for a payout: the money left Settled when it was reserved. */
export function movementOf({ kind, amount, fee }: { kind: string; amount: Kobo; fee: Kobo }): Movement | null {
  switch (kind) {
    case "collection":
    case "allocation":
      return { ...NOTHING, moneyIn: amount, fee };
    case "collection_reversal":
    case "allocation_reversal":
      return { ...NOTHING, moneyIn: -amount, fee: -fee };
    case "settlement":
      return { ...NOTHING, settled: amount };
    // From Settled back to Collected.
    case "cover":
      return { ...NOTHING, settled: -amount };
    case "reserve":
      return { ...NOTHING, transferOut: amount };
    case "return":
    case "reversal":
      return { ...NOTHING, returned: amount };
    case "payout":
      return null;
    default:
      throw new Error(`a statement has no column for ${kind}`);
  }
}

export function add(sum: Movement, movement: Movement): Movement {
  return {
    moneyIn: sum.moneyIn + movement.moneyIn,
    fee: sum.fee + movement.fee,
    settled: sum.settled + movement.settled,
    transferOut: sum.transferOut + movement.transferOut,
    returned: sum.returned + movement.returned,
  };
}

export function after({ collected, settled }: Balances, moved: Movement): Balances {
  return {
    collected: collected + moved.moneyIn - moved.fee - moved.settled,
    settled: settled + moved.settled - moved.transferOut + moved.returned,
  };
}

/** Throws if the lines do not lead from the opening to the closing balances: such a statement must not be handed out. */
export function assertProved(opening: Balances, sum: Movement, closing: Balances): void {
  const reached = after(opening, sum);
  if (reached.collected === closing.collected && reached.settled === closing.settled) return;
  throw new Error(
    `a statement leads to ${reached.collected} and ${reached.settled} kobo, and the balances are ${closing.collected} and ${closing.settled}`,
  );
}

/** Lagos is UTC+1 all year. */
const LAGOS_AHEAD_MS = 3_600_000;

/** The instants at which a month such as 2026-11 begins and ends in Lagos. */
export function spanOfMonth(month: string): { from: Date; before: Date } {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const start = (months: number) => new Date(Date.UTC(year, number - 1 + months, 1) - LAGOS_AHEAD_MS);
  return { from: start(0), before: start(1) };
}
