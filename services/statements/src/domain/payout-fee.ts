import type { Kobo } from "@collect/money";
import { FEE_MAX } from "./charges.ts";
import type { Day } from "./statement.ts";

type Line = { amount: Kobo; on: Day };
/** `on` is null while our books do not have it. */
type Movement = { key: string; amount: Kobo; on: Day | null; isVoid: boolean };
type Group = { lines: Line[]; movements: Movement[] };

/**
 * What a bank took for payouts in the very lines that show them: of a match of payouts alone, on its last day, up to what banks take for each. Below
 * zero, as the bank has less because of it; null if it is nothing of that kind. A larger sum is another payment, and a smaller one no payout that was
 * paid in full.
 */
export function payoutFeeIn({ lines, movements }: Group, day: Day): Kobo | null {
  const isPaid =
    lines.every(({ amount, on }) => amount < 0n && on <= day) &&
    movements.every(
      ({ key, amount, on, isVoid }) => key.startsWith("trf_") && amount < 0n && on !== null && on <= day && !isVoid,
    );
  if (!isPaid || lines.length === 0 || movements.length === 0) return null;
  const fee = sumOf(lines) - sumOf(movements);
  return fee < 0n && fee >= -FEE_MAX * BigInt(movements.length) ? fee : null;
}

const sumOf = (rows: { amount: Kobo }[]): Kobo => rows.reduce((sum, { amount }) => sum + amount, 0n);
