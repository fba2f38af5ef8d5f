import type { Mode } from "@collect/contracts";
import { inLagos } from "./books.ts";

/** A month's statement as a page. Amounts are naira as the ledger states them, and times those of Lagos. */

type Balances = { collected: number; settled: number };
export type Totals = {
  from: string;
  before: string;
  opening: Balances;
  money_in: number;
  fees: number;
  settled: number;
  transfers_out: number;
  returned: number;
  closing: Balances;
  lines: number;
};
export type Of = { merchant: { id: string; name: string; mode: Mode }; now: Date };

export type StatementPage = {
  title: string;
  business: string;
  facts: string[];
  rows: { name: string; collected: string; settled: string; isBalance: boolean }[];
  notes: string[];
  /** When the month was over: what was written later is the same. */
  writtenAt: Date;
};

export function statementPage(totals: Totals, { merchant, now }: Of): StatementPage {
  const { opening, closing, money_in, fees, settled, transfers_out, returned, lines } = totals;
  const [from, before] = [new Date(totals.from), new Date(totals.before)];
  const isOver = before <= now;
  const row = (name: string, collected: number | null, settled: number | null, isBalance = false) => ({
    name,
    ...{ collected: moneyOf(collected), settled: moneyOf(settled), isBalance },
  });
  return {
    title: `Statement for ${monthOf(from)}`,
    business: merchant.name,
    facts: [
      `${dayOf(from)} to ${dayOf(new Date(before.getTime() - 1))}, Lagos time`,
      merchant.mode === "test" ? "Test mode: no real money" : "Live mode",
      `Business ${merchant.id}`,
    ],
    rows: [
      row("Opening balance", opening.collected, opening.settled, true),
      row("Payments received", money_in, null),
      row("Fees", -fees, null),
      row("Settled", -settled, settled),
      row("Transfers out", null, -transfers_out),
      row("Transfers returned", null, returned),
      row(isOver ? "Closing balance" : "Balance so far", closing.collected, closing.settled, true),
    ],
    notes: [
      `In Nigerian naira (NGN). The opening balance plus ${counted(lines)} equals the ${isOver ? "closing balance" : "balance so far"}.`,
      "Collected is what was paid to you and is not settled yet. Settled is what you can transfer.",
      ...(isOver ? [] : [`The month is not over: this is as of ${timeOf(now)}, Lagos time.`]),
    ],
    writtenAt: isOver ? before : now,
  };
}

const counted = (lines: number) => (lines === 1 ? "1 line" : `${lines.toLocaleString("en")} lines`);

const AMOUNT = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `−₦2,475.72`; nothing for an account that a line does not concern. */
function moneyOf(naira: number | null): string {
  if (naira === null) return "";
  return `${naira < 0 ? "−" : ""}₦${AMOUNT.format(Math.abs(naira))}`;
}

const dateFormat = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Lagos", ...options });
  return (at: Date) => format.format(at);
};
const monthOf = dateFormat({ month: "long", year: "numeric" });
const dayOf = dateFormat({ day: "numeric", month: "long", year: "numeric" });

/** `23 November 2026, 16:15`. */
const timeOf = (at: Date) => `${dayOf(at)}, ${inLagos(at.toISOString()).slice(11, 16)}`;
