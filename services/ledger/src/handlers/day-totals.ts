import { answer, type Epochs, type Request } from "@collect/bus";
import {
  bookBankCharges,
  bookOwnFunds,
  DAY_TOTALS_MAX,
  type Input,
  listBankCharges,
  listOwnFunds,
  Problem,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import type { DayTotal } from "../domain/day-totals.ts";
import { bookDayTotal, listDayTotals } from "../store/day-totals.ts";
import { alarmIfTaken, type Posting } from "../use-cases/post-transactions.ts";

type Deps = Posting & { pool: Pool; lists: Pool; epochs: Epochs };

const DAY_MS = 86_400_000;

/**
 * Books what closed days say that banks have charged, and what came and went of our own money. statements compares all of its closed days with the
 * lists, and so finds what a restore of this database has lost; until the ledger has caught up all are refused, as its balances are.
 */
export function dayTotalRequests({ pool, lists, epochs, shard, log }: Deps): Request[] {
  const list = async (of: DayTotal, { from, to }: Input<typeof listBankCharges>) => {
    epochs.assertCurrent();
    if (Date.parse(to) - Date.parse(from) >= DAY_TOTALS_MAX * DAY_MS)
      throw new Problem("validation_failed", `At most ${DAY_TOTALS_MAX} days are listed at once.`);
    return { rows: await listDayTotals(lists, of, { from, to }) };
  };
  const book = async (of: DayTotal, given: Input<typeof bookBankCharges>) => {
    epochs.assertCurrent();
    try {
      return await transaction(pool, (tx) => bookDayTotal(tx, of, { ...given, shard }));
    } catch (error) {
      alarmIfTaken(log, error);
      throw error;
    }
  };
  return [
    answer(listBankCharges, (span) => list("charges", span)),
    answer(bookBankCharges, (given) => book("charges", given)),
    answer(listOwnFunds, (span) => list("own_funds", span)),
    answer(bookOwnFunds, (given) => book("own_funds", given)),
  ];
}
