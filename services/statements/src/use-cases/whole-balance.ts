import type { DaySheet } from "@collect/contracts";
import type { Session } from "@collect/database";
import type { ExplainedItem } from "../domain/groups.ts";
import { isUndecided } from "../domain/sheet.ts";
import type { Day } from "../domain/statement.ts";
import { readBookedBefore, readTiming } from "../store/whole-balance.ts";

type Given = { accounts: DaySheet["accounts"]; ledger: DaySheet["ledger"]; items: ExplainedItem[] };

/**
 * What is at the banks by the end of a day, and what the ledger has on them once it has booked this day and all before: the whole, and not what changed.
 * What differs is of another day on one side, or no day was closed with it as something that is booked.
 */
export async function readWholeBalance(
  tx: Session,
  day: Day,
  { accounts, ledger, items }: Given,
): Promise<NonNullable<DaySheet["balance"]>> {
  const at_banks = accounts.reduce((sum, { closing }) => sum + closing, 0n);
  const before = (ledger.booked ?? 0n) + (await readBookedBefore(tx, day));
  const in_ledger = items.reduce((sum, item) => sum + bookedOf(item), ledger.closing + before);
  const undecided = items.filter(isUndecided).reduce((sum, { amount }) => sum + amount, 0n);
  const timing = undecided + (await readTiming(tx, day));
  const difference = at_banks - in_ledger;
  return { at_banks, in_ledger, difference, timing, unbooked: difference - timing };
}

/** What closing the day has the ledger book on the bank. */
function bookedOf({ class: kind, amount, charge, explanation }: ExplainedItem): bigint {
  if (kind === "charge" || explanation?.is_own) return amount;
  return explanation && explanation.charge !== null ? (charge ?? 0n) : 0n;
}
