import type { DaySheet } from "@collect/contracts";
import type { Session } from "@collect/database";
import { type OpeningItem, openingItems } from "../domain/openings.ts";
import type { Day } from "../domain/statement.ts";
import { readBefore, readOpenings } from "../store/openings.ts";

/** `first` is the first day of any statement, and `isNext` says whether all days before this one are closed. */
type Given = { first: Day; isNext: boolean; ledger: DaySheet["ledger"] };
type DayOpenings = { openings: OpeningItem[]; undecidedBefore: number };

/**
 * The opening balances that a day is to be closed with. The first open day has those of all accounts that began by then and were in no closing yet, as
 * by a service of the release before; a later one those that begin on it. `undecidedBefore` counts what our books had before the first day of all and
 * the statements do not say yet: it may be in an opening balance, or on its way.
 */
export async function readDayOpenings(tx: Session, day: Day, { first, isNext, ledger }: Given): Promise<DayOpenings> {
  const all = await readOpenings(tx, day);
  if (!isNext) {
    const begun = all.filter(({ on }) => on === day);
    return { openings: openingItems({ openings: begun, first: "", had: 0n }), undecidedBefore: 0 };
  }
  const before = await readBefore(tx, first);
  const had = (before.ledger ?? ledger.opening + (ledger.booked ?? 0n)) - before.inTransit;
  return { openings: openingItems({ openings: all, first, had }), undecidedBefore: before.undecided };
}

export const waitingBefore = (count: number): string | null =>
  count === 0
    ? null
    : `The bank's next statements decide what of our books before the first day is in its opening balance: ${count}.`;
