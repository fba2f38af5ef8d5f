import { itemsIn, leftOutOf, type showDay, type WireResult } from "@collect/contracts";
import { formatNaira } from "@collect/money";
import { DIFFERENCES } from "./difference-words.ts";
import { type PrintedDocument, printable } from "./document.ts";
import { dayOf, timeOf } from "./lagos.ts";

export type Sheet = WireResult<typeof showDay>;

/** Each column of amounts holds −99,999,999,999.99 in bold on one line. */
const BALANCES = { widths: [70, 59, 59, 59, 59, 59, 59, 59], fontSize: 6.5 };
const ITEMS = { widths: [92, 156, 155, 80], fontSize: 9, amounts: [3] };

/** The daily report as a document: what the day's page shows, and the CSV has. */
export function dayReportDocument(sheet: Sheet, { now }: { now: Date }): PrintedDocument {
  const { day, closed_at, closed_by, blocked_by, accounts, balance, items, items_total } = sheet;
  const title = `Day at the bank, ${dayOf(new Date(`${day}T00:00:00+01:00`))}`;
  return {
    title,
    name: title,
    facts: [closed_at === null ? `Open, as of ${timeOf(now)}, Lagos time` : closedWords(closed_at, closed_by)],
    tables: [balancesOf(sheet), ...(items.length > 0 ? [itemsOf(sheet)] : [])],
    notes: [
      "In Nigerian naira (NGN), live money only. The difference is the change at the banks less the change in our ledger: by account what our books have on it for the day, and its part of the difference.",
      ...(balance ? [balanceWords(balance)] : []),
      ...accounts.flatMap(byAmount),
      ...(blocked_by === null ? [] : [`It cannot be closed yet. ${blocked_by}`]),
      ...(items_total > itemsIn(sheet) ? [`${leftOutOf(sheet)}.`] : []),
      ...(items.some(({ count }) => count) ? [GROUPED] : []),
    ],
    writtenAt: closed_at === null ? now : new Date(closed_at),
  };
}

const GROUPED = "Lines that are shown together are of one account, kind and sign. The CSV has each of them.";

const balanceWords = ({ difference, timing, unbooked }: NonNullable<Sheet["balance"]>): string =>
  `The balance is the whole, in all accounts and in our ledger once it has booked the day. Its difference of ${amountOf(difference)} is ${amountOf(timing)} of timing and ${amountOf(unbooked)} that no day was closed with as booked.`;

const byAmount = ({ number, bank, lines, matched_by_amount = 0 }: Sheet["accounts"][number]): string[] =>
  matched_by_amount === 0
    ? []
    : [`Of ${number} at ${bank}, ${matched_by_amount} of ${lines} lines are matched by the amount alone.`];

const closedWords = (at: string, by: string | null) => `Closed by ${by}, ${timeOf(new Date(at))}, Lagos time`;

function balancesOf({ accounts, ledger, difference, balance }: Sheet): PrintedDocument["tables"][number] {
  const change = BigInt(ledger.closing) - BigInt(ledger.opening);
  return {
    ...BALANCES,
    amounts: [1, 2, 3, 4, 5, 6, 7],
    head: ["", "Opening", "In", "Out", "Charges", "Closing", "Ledger", "Difference"],
    rows: [
      ...accounts.map(({ number, bank, opening, in: received, out, charges, closing, ...inBooks }) => ({
        cells: [
          `${number} at ${bank}`,
          ...[opening, received, out, charges, closing].map(amountOf),
          ...[inBooks.booked, inBooks.difference].map((kobo) => (kobo === undefined ? "" : amountOf(kobo))),
        ],
      })),
      {
        cells: ["Our ledger", amountOf(ledger.opening), "", "", "", amountOf(ledger.closing), amountOf(change), ""],
      },
      { cells: ["Difference", "", "", "", "", "", "", amountOf(difference)], isBold: true },
      ...(balance
        ? [
            {
              cells: [
                ...["Balance, all", "", "", "", "", amountOf(balance.at_banks)],
                ...[balance.in_ledger, balance.difference].map(amountOf),
              ],
            },
          ]
        : []),
    ],
  };
}

function itemsOf({ items }: Sheet): PrintedDocument["tables"][number] {
  return {
    ...ITEMS,
    head: ["Difference", "What it is", "Reason", "Amount"],
    rows: items.map(({ key, class: kind, amount, what, settled, reason, explained_by, by_amount }) => ({
      cells: [
        DIFFERENCES[kind],
        printable(what) || key,
        reason === null
          ? settled
            ? `Settled on another day${by_amount ? ", by the amount alone" : ""}`
            : "No reason yet"
          : `${printable(reason)} (${explained_by})`,
        amountOf(amount),
      ],
    })),
  };
}

/** `−1,234.50`: the sign of the naira would stand in every cell. */
const amountOf = (kobo: string | bigint) => formatNaira(BigInt(kobo)).replace("₦", "").replace("-", "−");
