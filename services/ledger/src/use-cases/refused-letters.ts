import { durableName } from "@collect/bus";
import { type FactEvent, MODES, transferReversed, unallocatedReversed } from "@collect/contracts";
import { type DeadLetter, type Transaction, takeDeadLetters } from "@collect/database";
import { checkReversal, checkSuspenseReversal, ReversalRefused } from "../store/reversals.ts";

type From = "merchant" | "suspense";
type Refused = Awaited<ReturnType<typeof takeDeadLetters>>[number] & { from: From; refusal: string };
type Check = { from: From; check: (tx: Transaction, fact: string) => Promise<unknown> };

/** By the consumer. The fact proved its publisher before it became a dead letter. */
const CHECKS = new Map<string, Check>([
  ...ofEvent(transferReversed, {
    from: "merchant",
    check: (tx, fact) => checkReversal(tx, transferReversed.data.parse(JSON.parse(fact))),
  }),
  ...ofEvent(unallocatedReversed, {
    from: "suspense",
    check: (tx, fact) => checkSuspenseReversal(tx, unallocatedReversed.data.parse(JSON.parse(fact))),
  }),
]);

/**
 * The dead letters of a reversal that would be refused again, by the books as they are now, and why. One that failed for another reason is
 * none of them: its money is to be booked.
 */
export async function refusedLetters(tx: Transaction, intakeId: string): Promise<Refused[]> {
  const refused: Refused[] = [];
  for (const letter of await takeDeadLetters(tx, intakeId)) {
    const reversal = CHECKS.get(letter.consumer);
    if (!reversal) continue;
    const refusal = await refusalOf(tx, letter, reversal);
    if (refusal !== undefined) refused.push({ ...letter, from: reversal.from, refusal });
  }
  return refused;
}

async function refusalOf(tx: Transaction, { fact }: DeadLetter, { check }: Check): Promise<string | undefined> {
  try {
    await check(tx, fact);
    return undefined;
  } catch (error) {
    if (error instanceof ReversalRefused) return error.message;
    throw error;
  }
}

function ofEvent(event: FactEvent, check: Check): [string, Check][] {
  return MODES.map((mode) => [durableName(event, "ledger", mode), check]);
}
