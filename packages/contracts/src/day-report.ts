import { formatNaira } from "@collect/money";
import type { WireResult } from "./message.ts";
import type { showDay } from "./requests/days.ts";
import { harmless } from "./spreadsheet.ts";

type Sheet = WireResult<typeof showDay>;

const COLUMNS = "day,section,account,what,opening,in,out,charges,closing,difference,class,reason,explained by";
const NO_BALANCES = ["", "", "", "", ""];

/** The daily report as CSV: the accounts, the ledger, the total of the difference, and its lines, with those left out as one. Amounts are naira. */
export function dayReportCsv(sheet: Sheet): string {
  const { day, accounts, ledger, difference, items, items_total } = sheet;
  const leftOut = plain(String(items.reduce((rest, { amount }) => rest - BigInt(amount), BigInt(difference))));
  const rows = [
    ...accounts.map(({ number, bank, ...account }) => {
      const balances = [account.opening, account.in, account.out, account.charges, account.closing];
      return [day, "account", number, harmless(bank), ...balances.map(plain), "", "", "", ""];
    }),
    [day, "ledger", "", "", plain(ledger.opening), "", "", "", plain(ledger.closing), "", "", "", ""],
    [day, "total", "", "", ...NO_BALANCES, plain(difference), "", "", ""],
    ...items.map(({ key, class: kind, account, amount, what, reason, explained_by }) => [
      ...[day, key, account ?? "", harmless(what), ...NO_BALANCES, plain(amount), kind],
      ...[harmless(reason ?? ""), harmless(explained_by ?? "")],
    ]),
    ...(items_total > items.length
      ? [[day, "left out", "", leftOutOf(sheet), ...NO_BALANCES, leftOut, "", "", ""]]
      : []),
  ];
  return [COLUMNS, ...rows.map((cells) => cells.map(quoted).join(","))].join("\r\n");
}

/** What a sheet has no room for, all of it settled by itself: how many lines, and the sums of what is settled. */
export function leftOutOf({ items, items_total, settled }: Sheet): string {
  const sums = settled.map(({ class: kind, items: count, amount }) => `${count} ${kind} ${plain(amount)}`).join(", ");
  return `${items_total - items.length} lines are left out; settled are ${sums || "none"}`;
}

/** `-1234.50`. */
const plain = (kobo: string) => formatNaira(BigInt(kobo)).replaceAll(/[₦,]/g, "");

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
