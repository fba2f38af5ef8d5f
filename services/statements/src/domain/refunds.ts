import type { Kobo } from "@collect/money";
import type { ExplainedItem } from "./groups.ts";
import { type Item, isLineOfBank } from "./sheet.ts";
import { kobo } from "./statement.ts";

type Line = Pick<ExplainedItem, "key" | "class" | "amount">;

/** Money that reached an account, on a line of the bank in no match: the bank may have given a charge back. */
export const canBeRefund = (item: Line): boolean =>
  isLineOfBank(item) && item.key.startsWith("line:") && item.amount > 0n;

/** Its reason says that it is one. */
export const isRefund = ({ explanation, ...item }: ExplainedItem): boolean =>
  canBeRefund(item) && explanation !== undefined && explanation.charge !== null;

const REASON = { reason: "", explained_by: "", is_own: false };
/** As it is with such a reason. */
export const refundOf = (item: Item): ExplainedItem => ({
  ...{ ...item, charge: item.amount, explanation: { ...REASON, charge: item.amount } },
});

/** Of the first account whose refunds are more than it was charged by then, in words; null if there is none. `before` are the charges of earlier days. */
export function beyondCharges(items: ExplainedItem[], before: Map<string, Kobo>): string | null {
  const accounts = Map.groupBy(items, ({ account }) => account ?? "");
  for (const [account, of] of accounts) {
    const refunds = of.filter(isRefund).reduce((sum, { amount }) => sum + amount, 0n);
    const charged = (before.get(account) ?? 0n) + chargedIn(of);
    if (refunds > 0n && refunds > charged)
      return `Of account ${account} ${kobo(refunds)} would be charges that the bank gave back, and it was charged ${kobo(charged)} until then.`;
  }
  return null;
}

/** What a day has as charges of an account: above zero, and less what the bank gave back before. */
function chargedIn(items: ExplainedItem[]): Kobo {
  return items.reduce((sum, item) => {
    if (item.class === "charge") return sum - item.amount;
    return !isRefund(item) && item.explanation?.charge ? sum - item.explanation.charge : sum;
  }, 0n);
}
