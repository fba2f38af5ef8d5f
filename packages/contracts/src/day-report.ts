import { formatNaira } from "@collect/money";
import type { WireResult } from "./message.ts";
import type { listDayGroup } from "./requests/day-details.ts";
import type { showDay } from "./requests/days.ts";
import { harmless } from "./spreadsheet.ts";

type Sheet = WireResult<typeof showDay>;
/** A page of a group, of which `after` is the last line of the one before. */
export type ReadGroup = (group: string, after: string | undefined) => Promise<WireResult<typeof listDayGroup>>;

const COLUMNS =
  "day,section,account,what,opening,in,out,charges,closing,ledger,difference,class,reason,explained by,by amount";
const NO_BALANCES = ["", "", "", "", "", ""];

/**
 * The daily report as CSV, line by line: the accounts with what our books have on each for the day, the ledger with its change, the total of the
 * difference, the balances by the end of the day as a whole, and the lines of the difference, instead of a group those in it, with those left out as one. Amounts are naira. What was matched by the amount alone
 * is marked, and of each account it has how many lines were.
 */
export async function* dayReportCsv(sheet: Sheet, readGroup: ReadGroup): AsyncGenerator<string> {
  const { day, accounts, ledger, difference, items, items_total } = sheet;
  const leftOut = plain(String(items.reduce((rest, { amount }) => rest - BigInt(amount), BigInt(difference))));
  const change = plain(String(BigInt(ledger.closing) - BigInt(ledger.opening)));
  yield COLUMNS;
  const rows = [
    ...accounts.map(({ number, bank, ...account }) => {
      const balances = [account.opening, account.in, account.out, account.charges, account.closing];
      const inBooks = [account.booked, account.difference].map((kobo) => (kobo === undefined ? "" : plain(kobo)));
      const matched = ["", "", "", String(account.matched_by_amount ?? "")];
      return [day, "account", number, harmless(bank), ...balances.map(plain), ...inBooks, ...matched];
    }),
    [day, "ledger", "", "", plain(ledger.opening), "", "", "", plain(ledger.closing), change, "", "", "", "", ""],
    [day, "total", "", "", ...NO_BALANCES, plain(difference), "", "", "", ""],
    ...(sheet.balance ? balanceRows(day, sheet.balance) : []),
  ];
  yield* rows.map(csvLine);
  for (const item of items)
    for await (const { key, amount, what } of linesOf(item, readGroup))
      yield csvLine([
        ...[day, key, item.account ?? "", harmless(what), ...NO_BALANCES, plain(amount), item.class],
        ...[harmless(item.reason ?? ""), harmless(item.explained_by ?? ""), item.by_amount ? "yes" : ""],
      ]);
  if (items_total > itemsIn(sheet))
    yield csvLine([day, "left out", "", leftOutOf(sheet), ...NO_BALANCES, leftOut, "", "", "", ""]);
}

/** Of all accounts, with what of the difference is timing, and what is not booked. */
const balanceRows = (day: string, { at_banks, in_ledger, difference, timing, unbooked }: Balance): string[][] => [
  [day, "balance", "", "", "", "", "", "", ...[at_banks, in_ledger, difference].map(plain), "", "", "", ""],
  [day, "balance timing", "", "", ...NO_BALANCES, plain(timing), "", "", "", ""],
  [day, "balance not booked", "", "", ...NO_BALANCES, plain(unbooked), "", "", "", ""],
];
type Balance = NonNullable<Sheet["balance"]>;

type Line = Pick<Sheet["items"][number], "key" | "amount" | "what">;

async function* linesOf(item: Sheet["items"][number], readGroup: ReadGroup): AsyncGenerator<Line> {
  if (item.count === undefined) {
    yield item;
    return;
  }
  for (let next: string | null | undefined; next !== null; ) {
    const page = await readGroup(item.key, next);
    yield* page.data;
    next = page.next;
  }
}

/** How many lines of the difference the items are: a group is those in it. */
export const itemsIn = ({ items }: Pick<Sheet, "items">): number =>
  items.reduce((sum, { count = 1 }) => sum + count, 0);

/** What a sheet has no room for, all of it settled by itself: how many lines, and the sums of what is settled. */
export function leftOutOf(sheet: Sheet): string {
  const { items_total, settled } = sheet;
  const sums = settled.map(({ class: kind, items: count, amount }) => `${count} ${kind} ${plain(amount)}`).join(", ");
  return `${items_total - itemsIn(sheet)} lines are left out; settled are ${sums || "none"}`;
}

/** `-1234.50`. */
const plain = (kobo: string) => formatNaira(BigInt(kobo)).replaceAll(/[₦,]/g, "");

const csvLine = (cells: string[]): string => cells.map(quoted).join(",");

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
