import type { Kobo } from "@collect/money";
import type { Item } from "./sheet.ts";
import { type Day, kobo } from "./statement.ts";

/** What stood in an account before its first statement, which begins on a day, and how much of that earlier days were closed with. */
export type Opening = { account: string; on: Day; opening: Kobo; established: Kobo };

/** With what it is, in words. */
export type OpeningItem = Item & { what: string };

const KEY = "opening:";
export const isOpening = ({ key }: Pick<Item, "key">): boolean => key.startsWith(KEY);

type Given = {
  openings: Opening[];
  /** On which the statements begin, of all accounts. */
  first: Day;
  /** What our books had at the banks by then. */
  had: Kobo;
};

/**
 * An account comes in with what stood there before its first statement: so much more is at the banks from then on. What our books had at that time is
 * in there. The ledger has one sum of it for all accounts, so it is taken off that of the largest which begins on the first day of all. What became
 * known since, as a transfer that turned out to have been under way, is another item, of a later day.
 */
export function openingItems({ openings, first, had }: Given): OpeningItem[] {
  const [founding] = openings
    .filter(({ on }) => on === first)
    .toSorted((a, b) => Number(b.opening - a.opening) || (a.account < b.account ? -1 : 1));
  return openings
    .map(({ account, on, opening, established }): OpeningItem => {
      const known = account === founding?.account ? had : 0n;
      const less = [
        ...(known === 0n ? [] : [`${kobo(known)} that our books had`]),
        ...(established === 0n ? [] : [`${kobo(established)} of days that are closed`]),
      ];
      const words = [`the opening balance of ${on}, ${kobo(opening)}`, ...less].join(", less ");
      const amount = opening - known - established;
      return {
        ...{ key: `${KEY}${account}`, class: "bank_only", account, amount, isSettled: false, by: null, what: words },
      };
    })
    .filter(({ amount }) => amount !== 0n);
}
