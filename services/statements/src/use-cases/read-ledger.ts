import type { Bus } from "@collect/bus";
import { type DaySheet, getBankBalances, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { endOf, startOf } from "../domain/calendar.ts";
import type { LedgerAudit } from "../domain/ledger-audit.ts";
import type { Day } from "../domain/statement.ts";
import { hasBooked } from "../store/day-totals.ts";

/** `booked` is what it had booked of closed days when the day began: own funds less charges. `audit` is what it says of itself. */
export type Ledger = Omit<DaySheet["ledger"], "booked"> & { booked: bigint; audit: LedgerAudit };

/**
 * What the ledger had on the bank when the day began and ended, each movement on the day on which accounts or payments have it, and without the
 * charges and own funds of closed days: those count on their own days, which are proved. A ledger of the release before would not leave them out, and
 * has each movement on the day of its posting.
 */
export async function readLedger({ pool, bus }: { pool: Pool; bus: Bus }, day: Day): Promise<Ledger> {
  const input = { mode: "live" as const, before: [startOf(day), endOf(day)] };
  const {
    balances,
    counted = balances,
    charges,
    own_funds,
    audit,
  } = getBankBalances.output.parse(await bus.request(getBankBalances, input));
  const isOlder =
    (charges === undefined && (await hasBooked(pool, "charges"))) ||
    (own_funds === undefined && (await hasBooked(pool, "own_funds")));
  if (isOlder)
    throw new Problem(
      "service_unavailable",
      "A ledger of the release before has answered. Try again once it is replaced.",
    );
  const [opening = 0n, closing = 0n] = counted;
  return { opening, closing, booked: (own_funds?.[0] ?? 0n) - (charges?.[0] ?? 0n), audit };
}
