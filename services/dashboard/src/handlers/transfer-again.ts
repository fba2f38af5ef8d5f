import { createTransfer, Problem, showTransfer } from "@collect/contracts";
import type { Call } from "../http/call.ts";
import { setDone } from "../store/inbox.ts";

/**
 * Sends the money of a transfer that failed or was reversed once more. Its own reference is part of the new order's, so that two
 * members, or a repeat after a lost response, send it once.
 */
export async function sendAgain({ deps, member, input: { reference }, request }: Call<{ reference: string }>) {
  const { merchant, user_id: userId } = member;
  const { transfer } = await request(showTransfer, { merchant, reference });
  const { status: kind, amount, bank_code, account_number, narration, metadata } = transfer;
  if (kind !== "failed" && kind !== "reversed")
    throw new Problem("conflict", "Only a transfer that failed or was reversed can be sent again.");
  const again = await request(createTransfer, {
    ...{ merchant, amount, bank_code, account_number, metadata, ...(narration && { narration }) },
    reference: `again-${transfer.reference}`,
  });
  // If this process dies here the item stays open, and the same act finds the order that was made.
  const note = `Sent again as ${again.transfer.reference}`;
  await setDone(deps.pool, merchant, { kind, reference: transfer.reference, userId, note });
  return again;
}
