import { conflictIn } from "@collect/contracts";
import type { Session } from "@collect/database";
import type { ExplainedItem } from "../domain/groups.ts";
import { beyondCharges, isRefund, refundOf } from "../domain/refunds.ts";
import type { Day } from "../domain/statement.ts";
import { readChargedBefore } from "../store/day-totals.ts";

/** Why a day cannot be closed with these reasons: an account got back more than it was ever charged. Null if it did not. */
export async function refundsBeyondCharges(tx: Session, day: Day, items: ExplainedItem[]): Promise<string | null> {
  if (!items.some(isRefund)) return null;
  return beyondCharges(items, await readChargedBefore(tx, day));
}

/** As they would be with this reason for some of them. */
export async function assertCharged(
  tx: Session,
  { day, all, meant }: { day: Day; all: ExplainedItem[]; meant: ExplainedItem[] },
): Promise<void> {
  const keys = new Set(meant.map(({ key }) => key));
  const others = all.filter(({ key }) => !keys.has(key));
  const beyond = await refundsBeyondCharges(tx, day, [...others, ...meant.map(refundOf)]);
  if (beyond !== null) throw refundRefused("refund_exceeds_charges", beyond);
}

export const refundRefused = (code: string, message: string) => conflictIn("refund", code, message);
