import type { Bus, Epochs } from "@collect/bus";
import { getStatementLine, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { intakeIdOf } from "../domain/intake.ts";
import type { Offered } from "../domain/offers.ts";
import { reopenOffer } from "../store/line-offers.ts";
import type { Confirming } from "./confirm-offer.ts";
import { creditedOf } from "./credited-offers.ts";

type Deps = Confirming & { pool: Pool; bus: Bus; intakeKey: string; epochs: Pick<Epochs, "assertCurrent"> };

/**
 * After a restore an offer stays if it is not known whether it was credited, and a repeat shows it. If the partner refuses it by now
 * no repeat credits it any more: if nothing was credited under its id it can be withdrawn. Only the very offer that stands: what the partner says of
 * another account or amount says nothing of it.
 */
export async function reopenRefused(
  { pool, bus, partners, intakeKey, epochs }: Deps,
  { line: id, ...offered }: Offered & { line: string },
  refusal: unknown,
): Promise<void> {
  if (!(refusal instanceof Problem && REFUSED.has(refusal.code))) return;
  const line = await bus.request(getStatementLine, { line: id }).catch(unlessUnknown);
  const { bank, offer } = line ? getStatementLine.output.parse(line) : {};
  if (!offer || !partners.find((each) => each.id === bank)?.lookup) return;
  const { bank_transfer_id: bankTransferId, account_number, amount, offered_at: offeredAt } = offer;
  if (bankTransferId !== offered.bank_transfer_id) return;
  if (account_number !== offered.account_number || amount !== offered.amount) return;
  const intakeId = intakeIdOf(intakeKey, { bank: bank ?? "", mode: "live", bankTransferId });
  const credited = await creditedOf({ pool, bus }, [{ intakeId, amount }]);
  // Restored meanwhile, accounts may lack what was credited.
  epochs.assertCurrent();
  if (credited.length === 0) await reopenOffer(pool, { line: id, offeredAt });
}

const REFUSED = new Set(["not_found", "offer_contradicts_partner"]);

function unlessUnknown(cause: unknown): undefined {
  if (!(cause instanceof Problem && cause.code === "not_found")) throw cause;
}
