import type { Bus } from "@collect/bus";
import { releaseLine, type WireInput } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { intakeIdOf } from "../domain/intake.ts";
import { lastWithdrawn, withdrawOffer as storeWithdrawal } from "../store/line-offers.ts";
import { releaseSessions } from "../store/missed-transfers.ts";

type Deps = { pool: Pool; bus: Bus; intakeKey: string };
type Offer = WireInput<typeof releaseLine> & { bank: string };

/**
 * From now on the offer is never credited, and its line is free; false if it was credited, or is about to be. The same again changes nothing.
 * If it dies in between the line stays offered, under an id that is never credited, until this is repeated.
 */
export async function withdrawOffer({ pool, bus, intakeKey }: Deps, offer: Offer): Promise<boolean> {
  const { line, bank_transfer_id, offered_at, bank } = offer;
  const intakeId = intakeIdOf(intakeKey, { bank, mode: "live", bankTransferId: bank_transfer_id });
  const isWithdrawn = await transaction(pool, async (tx) => {
    if (!(await storeWithdrawal(tx, { line, offeredAt: offered_at }))) return false;
    await releaseSessions(tx, intakeId);
    return true;
  });
  if (isWithdrawn) await bus.request(releaseLine, { line, bank_transfer_id, offered_at });
  return isWithdrawn;
}

/**
 * Releases the line of an offer that was withdrawn by an act that died then: once the line is matched, statements neither repeats the offer nor
 * says when it was made.
 */
export async function finishWithdrawal(
  { pool, bus }: Pick<Deps, "pool" | "bus">,
  { line, bank_transfer_id }: Pick<Offer, "line" | "bank_transfer_id">,
): Promise<void> {
  const offered_at = await lastWithdrawn(pool, line);
  if (offered_at) await bus.request(releaseLine, { line, bank_transfer_id, offered_at });
}
