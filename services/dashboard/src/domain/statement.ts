import type { Mode } from "@collect/contracts";
import { type PrintedDocument, printable } from "./document.ts";
import { dayOf, monthOf, timeOf } from "./lagos.ts";

/** A month's statement as a page. Amounts are naira as the ledger states them, and times those of Lagos. */

type Balances = { collected: number; settled: number };
export type Totals = {
  from: string;
  before: string;
  as_of?: string | undefined;
  opening: Balances;
  money_in: number;
  fees: number;
  settled: number;
  transfers_out: number;
  returned: number;
  closing: Balances;
  lines: number;
};
export type Of = { merchant: { id: string; name: string; mode: Mode } };

export type StatementPage = {
  title: string;
  business: string;
  facts: string[];
  rows: { name: string; collected: string; settled: string; isBalance: boolean }[];
  notes: string[];
  /** The end of a month that is over: what is written later is the same. */
  writtenAt: Date;
};

export function statementPage(totals: Totals, { merchant }: Of): StatementPage {
  const { opening, closing, money_in, fees, settled, transfers_out, returned, lines } = totals;
  const [from, before] = [new Date(totals.from), new Date(totals.before)];
  // Not in the answer of a ledger of the last release.
  const asOf = totals.as_of === undefined ? undefined : new Date(totals.as_of);
  const isOver = asOf !== undefined && before <= asOf;
  const row = (name: string, collected: number | null, settled: number | null, isBalance = false) => ({
    name,
    ...{ collected: moneyOf(collected), settled: moneyOf(settled), isBalance },
  });
  return {
    title: `Statement for ${monthOf(from)}`,
    business: printable(merchant.name),
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
      ...(isOver ? [] : [asOf ? `The month is not over: this is as of ${timeOf(asOf)}, Lagos time.` : MAY_NOT_BE_OVER]),
    ],
    writtenAt: isOver ? before : (asOf ?? from),
  };
}

export function statementDocument({ title, business, rows, ...page }: StatementPage): PrintedDocument {
  const table = {
    ...{ widths: [183, 150, 150], amounts: [1, 2], fontSize: 10, head: ["", "Collected", "Settled"] },
    rows: rows.map(({ name, collected, settled, isBalance }) => ({
      cells: [name, collected, settled],
      isBold: isBalance,
    })),
  };
  return { ...page, title, subtitle: business, name: `${title}, ${business}`, tables: [table] };
}

const MAY_NOT_BE_OVER = "The month may not be over: download it again later for its closing balance.";

const counted = (lines: number) => (lines === 1 ? "1 line" : `${lines.toLocaleString("en")} lines`);

const AMOUNT = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `−₦2,475.72`; nothing for an account that a line does not concern. */
function moneyOf(naira: number | null): string {
  if (naira === null) return "";
  return `${naira < 0 ? "−" : ""}₦${AMOUNT.format(Math.abs(naira))}`;
}
