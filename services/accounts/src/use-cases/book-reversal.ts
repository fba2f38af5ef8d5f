import type { Bus } from "@collect/bus";
import { conflictIn, type Problem, type Result, type reportMissedReversal } from "@collect/contracts";
import type { Pool, Transaction } from "@collect/database";
import { failpoint, type Logger } from "@collect/runtime";
import type { Part } from "../domain/line-reversal.ts";
import { admissionOf } from "../domain/reversal.ts";
import type { TransferRow } from "../store/inbound-transfers.ts";
import {
  admitReversal,
  insertReversal,
  lockCredit,
  partsOf,
  type Reversal,
  type ReversalRow,
  readReversal,
} from "../store/reversals.ts";
import { publishReversals } from "./publish-reversals.ts";

export type Booked = Result<typeof reportMissedReversal>;
/** The parts that the credit had when the act began; what the same act again has booked; and what it is if another credit has its id. */
type Act = { before: Part[]; repeated(known: ReversalRow): Booked; used(): Problem };

/**
 * What was taken back of a credit when an act begins, and what the same act has booked. That is read last: what is committed by the same act at this
 * moment is found as known.
 */
export async function readBegun(pool: Pool, reversal: Parameters<typeof readReversal>[1] & { creditId: string }) {
  const before = await partsOf(pool, reversal.creditId);
  return { before, known: await readReversal(pool, reversal) };
}

/** Of a credit whose every part is decided, and that no service waits for. */
export function assertDecided({ completedAt }: TransferRow, parts: Part[]): void {
  if (completedAt === null)
    throw conflictIn(
      "intake_id",
      "transfer_in_progress",
      "The transfer is not at the end of its way yet: try again soon.",
    );
  if (parts.some(({ isAdmitted }) => !isAdmitted))
    throw conflictIn("intake_id", "reversal_waits", "The bank has reported a reversal of this transfer, which waits.");
}

/**
 * Books what operators say that the bank took back, or never had, as a part of its credit: at once, or not at all. Under the lock of the credit, and
 * only if nothing else was taken back of it since the act began.
 */
export async function bookReversal(
  tx: Transaction,
  reversal: Reversal,
  { before, repeated, used }: Act,
): Promise<Booked> {
  const credit = await lockCredit(tx, reversal.creditId);
  const known = await readReversal(tx, reversal);
  if (known) return repeated(known);
  const parts = await partsOf(tx, reversal.creditId);
  if (namesOf(parts).join() !== namesOf(before).join())
    throw changed("Something else was taken back of the transfer meanwhile");
  if (!credit || admissionOf(reversal, credit) !== "admitted") throw changed("The transfer is on its way once more");
  // Of another transfer, at the same moment: nothing of this one was locked.
  if (!(await insertReversal(tx, reversal, credit.merchantId))) throw used();
  await admitReversal(tx, reversal, credit);
  return { reversal_id: reversal.reversalId, status: "accepted" };
}

/** Once what was booked is committed, which is published later if that fails now. */
export function publishBooked(
  { pool, bus, log }: { pool: Pool; bus: Bus; log: Logger },
  { reversal_id }: Booked,
): void {
  failpoint("resolved");
  void publishReversals({ pool, bus }, [reversal_id]).catch((err) =>
    log.warn({ intake_id: reversal_id, err }, "a reversal is not published yet"),
  );
}

export const namesOf = (parts: Part[]) => parts.map(({ reversalId }) => reversalId);

export const changed = (what: string) =>
  conflictIn("intake_id", "changed_meanwhile", `${what}: look at it, and repeat this if it is still in no match.`);
