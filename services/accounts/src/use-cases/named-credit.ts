import { conflictIn, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { formatNaira } from "@collect/money";
import { readTransfers, type TransferRow } from "../store/inbound-transfers.ts";

/** The live transfer that an operator names. */
export async function namedCredit(pool: Pool, intakeId: string): Promise<TransferRow> {
  const credit = (await readTransfers(pool, [intakeId])).get(intakeId);
  if (credit?.mode !== "live") throw new Problem("not_found", "There is no such live transfer.");
  return credit;
}

export function assertSameBank(credit: { bank: string }, line: { bank: string }): void {
  if (credit.bank !== line.bank)
    throw conflictIn("intake_id", "another_bank", "The line is of another bank's account.");
}

/** The operator named another amount than is meant, which `what` says in a sentence. */
export function assertAmount(given: { amount: bigint }, amount: bigint, what: (naira: string) => string): void {
  if (given.amount === amount) return;
  const naira = formatNaira(amount);
  throw new Problem("validation_failed", what(naira), {
    errors: [{ param: "amount", code: "amount_differs", message: `is ${naira}` }],
  });
}
