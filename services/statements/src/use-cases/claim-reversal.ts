import { type claimReversal as claim, conflictIn, type Input, reversalIdOf } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { lockBankAccount } from "../store/bank-accounts.ts";
import { deleteOffer, isMatchedAs, readBookedReversal, readOffer, storeOffer } from "../store/offers.ts";
import { existingLine, type Line, refuseOwnFunds } from "./existing-line.ts";
import type { Refresh } from "./refresh.ts";

type Given = Input<typeof claim>;

/**
 * Keeps a line for the reversal that accounts books of it: as an offer of the line, under the one id that this reversal can have. Which transfer it is
 * taken from accounts alone decides, so an act that died and named the wrong one gives way to another. What accounts has by now is read before:
 * a reversal that the bank has reported is matched with its line, and no line is claimed for it a second time.
 */
export async function claimReversal({ pool, refresh }: { pool: Pool; refresh: Refresh }, given: Given): Promise<void> {
  const { line: id, account_number, amount } = given;
  const bank_transfer_id = reversalIdOf(id);
  await refresh();
  await transaction(pool, async (tx) => {
    const { account } = await existingLine(tx, id);
    await lockBankAccount(tx, account);
    // Our books have it, as when accounts was restored: the same again is the same.
    if (await isMatchedAs(tx, id, bank_transfer_id)) return;
    assertTaken(await existingLine(tx, id));
    const booked = await readBookedReversal(tx, given);
    if (booked)
      throw refused(
        "reversal_is_booked",
        `Our books have taken this back already: match the line by hand with ${booked}, or ${booked} with its own line first.`,
      );
    const offer = await readOffer(tx, id);
    if (offer?.account_number === account_number && offer.amount === amount) return;
    if (offer) await deleteOffer(tx, { ...offer, line: id });
    await storeOffer(tx, { line: id, bank_transfer_id, account_number, amount, is_return: true });
  });
}

function assertTaken(line: Line): void {
  const { amount, is_matched, is_charge } = line;
  if (amount >= 0n) throw refused("line_is_incoming", "The line is money that was received, and not taken back.");
  if (is_matched) throw refused("line_is_matched", "The line is matched: our books have it.");
  if (is_charge)
    throw refused("line_is_charge", "The line counts as a charge of the bank, by the words of its account.");
  refuseOwnFunds(line);
}

const refused = (code: string, message: string) => conflictIn("line", code, message);
