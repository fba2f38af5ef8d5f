import { Problem } from "@collect/contracts";
import type { Session } from "@collect/database";
import type { Transfer } from "../domain/transfer.ts";
import { findLivePayout } from "../store/unanswered-payouts.ts";

/** The live payout of this merchant that an operator decides about. */
export async function livePayout(tx: Session, payout: { reference: string; merchant_id: string }): Promise<Transfer> {
  const found = await findLivePayout(tx, payout);
  if (!found) throw new Problem("not_found", "This merchant has no such live transfer.");
  return found;
}
