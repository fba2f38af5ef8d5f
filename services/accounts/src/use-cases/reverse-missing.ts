import {
  conflictIn,
  holdMissingCredit,
  type Input,
  missingIdOf,
  Problem,
  type Result,
  type reverseMissingCredit,
} from "@collect/contracts";
import { transaction } from "@collect/database";
import { failpoint } from "@collect/runtime";
import { reversalIdsOf } from "../domain/reversal.ts";
import type { TransferRow } from "../store/inbound-transfers.ts";
import type { Reversal } from "../store/reversals.ts";
import { assertDecided, type Booked, bookReversal, changed, publishBooked, readBegun } from "./book-reversal.ts";
import { assertAmount, namedCredit } from "./named-credit.ts";
import type { LineReversalDeps } from "./reverse-by-line.ts";

type Given = Input<typeof reverseMissingCredit>;

/** statements holds the credit for ten minutes: what is not booked in the first of them is not booked by this act. */
const HELD_MS = 60_000;

/**
 * Takes back a whole transfer that the bank reported and never had: as a reversal that the bank reports, whose id is that of the transfer, so that it is
 * taken back once. statements proves before that it is missing, and matches no line with it until the reversal is there or can come no more. A
 * transfer of which anything else was taken back is not taken back by this: the bank has spoken of it since.
 */
export async function reverseMissing(
  { pool, bus, log, intakeKey, epochs }: LineReversalDeps,
  given: Given,
): Promise<Result<typeof reverseMissingCredit>> {
  // How much of the credit is left may be lost after a restore.
  epochs.assertCurrent();
  const credit = await namedCredit(pool, given.intake_id);
  assertAmount(given, credit.amount, (naira) => `The transfer is ${naira}, and is taken back as a whole.`);
  const reversal = reversalOf(intakeKey, credit);
  const repeated = (): Booked => ({ reversal_id: reversal.reversalId, status: "duplicate" });
  const { before, known } = await readBegun(pool, reversal);
  if (known) return repeated();
  assertDecided(credit, before);
  if (before.length > 0)
    throw conflictIn(
      "intake_id",
      "already_reversed",
      "The bank has taken back of this transfer: give its lines a reason.",
    );
  const held = Date.now();
  await bus.request(holdMissingCredit, { intake_id: given.intake_id, despite_lines: given.despite_lines ?? [] });
  failpoint("held");
  epochs.assertCurrent();
  const taken = await transaction(pool, async (tx) => {
    // One of each credit, whose lock is held.
    const used = () => new Problem("conflict", "The transfer was taken back at the same moment.");
    const booked = await bookReversal(tx, reversal, { before, repeated, used });
    if (Date.now() - held > HELD_MS) throw changed("The transfer is held no longer");
    return booked;
  });
  publishBooked({ pool, bus, log }, taken);
  return taken;
}

/** With the bank's charges, which it never had either, and at the time of its booking. It has no session: that is of lines. */
function reversalOf(intakeKey: string, credit: TransferRow): Reversal {
  const { bank, bankTransferId: reverses, accountNumber, amount, bankFee, bankVat, intakeId } = credit;
  const identity = { bank, mode: "live" as const, bankTransferId: missingIdOf(intakeId), reverses };
  return {
    ...{ ...identity, ...reversalIdsOf(intakeKey, identity) },
    ...{ type: "reversal", accountNumber, amount, bankFee, bankVat, currency: "NGN" },
    ...{ sessionId: null, settlementId: null, narration: null, paidAt: null },
    payer: { name: "", accountNumber: null, bankName: null },
  };
}
