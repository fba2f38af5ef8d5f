import type { Bus } from "@collect/bus";
import { bookBankCharges, bookOwnFunds, DAY_TOTALS_MAX, listBankCharges, listOwnFunds } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import type { Day } from "../domain/statement.ts";
import {
  type BookedTotal,
  type DayTotal,
  readEstablished,
  settledDaysAfter,
  storeBooked,
} from "../store/day-totals.ts";

type Deps = { pool: Pool; bus: Bus };

const REQUESTS = {
  charges: { list: listBankCharges, book: bookBankCharges },
  own_funds: { list: listOwnFunds, book: bookOwnFunds },
};

/**
 * Has the ledger book what days were closed with as the bank's charges, or as our own money. All closed days are compared with what the ledger has, and
 * not noted as sent: so it does not matter which of the two was restored, or whether a response was lost. A reopened day stays booked until it is closed
 * again, or until all statements begin after it: then it never is, and what was booked of it is taken back.
 */
export async function bookTotals({ pool, bus }: Deps, of: DayTotal): Promise<void> {
  let days = await settledDaysAfter(pool, null, DAY_TOTALS_MAX);
  while (days) {
    const booked = await bookDays({ pool, bus }, of, days);
    const span = days;
    await transaction(pool, (tx) => storeBooked(tx, of, span, booked));
    days = await settledDaysAfter(pool, days.to, DAY_TOTALS_MAX);
  }
}

/**
 * The ledger is read first. A process that books by a closing which is undone by now has therefore seen an older version than what was booked by the
 * newer closing, and is refused.
 */
async function bookDays({ pool, bus }: Deps, of: DayTotal, days: { from: Day; to: Day }): Promise<BookedTotal[]> {
  const { list, book } = REQUESTS[of];
  const { rows } = list.output.parse(await bus.request(list, days));
  const booked = new Map(rows.map((row) => [`${row.day} ${row.account}`, row]));
  for (const { day, totals } of await readEstablished(pool, of, days)) {
    // What the ledger has and the closing has not was taken back: the day was closed again without it.
    const known = rows.filter((row) => row.day === day).map(({ account }) => account);
    for (const account of new Set([...Object.keys(totals), ...known])) {
      const total = BigInt(totals[account] ?? 0);
      const before = booked.get(`${day} ${account}`) ?? { total: 0n, version: 0 };
      if (before.total === total) continue;
      const given = { account, day, total: String(total), replaces: before.version };
      const after = book.output.parse(await bus.request(book, given));
      booked.set(`${day} ${account}`, { day, account, ...after });
    }
  }
  return [...booked.values()];
}
