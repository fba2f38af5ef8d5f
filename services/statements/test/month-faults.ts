import type { DifferenceClass } from "@collect/contracts";
import { addDays } from "../src/domain/calendar.ts";
import type { BankLine } from "./files.ts";

/** What can be wrong with a collection, and how it shows. */
export const FAULTS = ["lost", "unbooked", "twice", "wrong", "reversed", "late", "taken back", "kept"] as const;
export type Fault = (typeof FAULTS)[number];

/** A difference between the bank and our books, by how much the bank has more. */
export type Planted = { day: string; class: DifferenceClass; amount: bigint };

/** By how much. */
export const WRONG = -1_000n;

type Booked = { day: string; line: BankLine };
type OnDay = { day: string; last: string };

/** On the last day it may still be on its way. */
export const missing = ({ day, last, amount }: OnDay & { amount: bigint }): Planted => ({
  ...{ day, class: day < last ? "books_only" : "timing", amount: -amount },
});

/** What the bank books of it, and what differs. `back` is its reversal, which our books have where it is `taken back` or `kept`. */
export function bookedAs(
  fault: Fault | undefined,
  { day, last, line, back }: OnDay & { line: BankLine; back: BankLine },
): { booked: Booked[]; planted: Planted[] } {
  const { amount } = line;
  const differs = (kind: DifferenceClass, by: bigint, on = day): Planted => ({ day: on, class: kind, amount: by });
  const of = (lines: BankLine[], planted: Planted[]) => ({
    booked: lines.map((each) => ({ day, line: each })),
    planted,
  });
  switch (fault) {
    case "lost":
      return of([line], [differs("bank_only", amount)]);
    case "unbooked":
      return of([], [missing({ day, last, amount })]);
    case "twice":
      return of([line, line], [differs("bank_only", amount)]);
    case "wrong":
      return of([{ ...line, amount: amount + WRONG }], [differs("different_amount", WRONG)]);
    case "reversed":
      return of([line, back], [differs("bank_only", back.amount)]);
    case "taken back":
      return of([line, back], []);
    case "kept":
      return of([line], [missing({ day, last, amount: back.amount })]);
    case "late": {
      if (day === last) return of([line], []);
      const next = addDays(day, 1);
      return { booked: [{ day: next, line }], planted: [differs("timing", -amount), differs("timing", amount, next)] };
    }
    default:
      return of([line], []);
  }
}

/** Where it is not known which line it is: any, or none. */
export const bothSides = (booked: Booked[], missed: Planted[]): Planted[] => [
  ...booked.map(({ day, line }): Planted => ({ day, class: "bank_only", amount: line.amount })),
  ...missed,
];
