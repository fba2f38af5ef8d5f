import type { Bus } from "@collect/bus";
import { listPosted, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { readTransfers } from "../store/inbound-transfers.ts";

type Deps = { pool: Pool; bus: Bus };
/** `amount` is what the payer sent; statements of the release before does not say it. */
type Offered = { intakeId: string; amount?: bigint | undefined };

/** Those that may have been credited: under the id of another one is a transfer of another amount, which the bank itself reported. */
export async function creditedOf<Offer extends Offered>({ pool, bus }: Deps, offers: Offer[]): Promise<Offer[]> {
  const intakeIds = offers.map(({ intakeId }) => intakeId);
  const posted = await amountsPosted(bus, intakeIds);
  // The ledger of the release before cannot say it: each is offered once more before it is withdrawn.
  if (!posted) return offers;
  const known = await readTransfers(pool, intakeIds);
  return offers.filter(({ intakeId, amount }) => {
    const amounts = [posted.get(intakeId), known.get(intakeId)?.amount].filter((each) => each !== undefined);
    return amounts.some((each) => each === null || amount === undefined || each === amount);
  });
}

/** By intake id; null where it is not known. Undefined if the ledger does not answer. */
async function amountsPosted(bus: Bus, intakeIds: string[]): Promise<Map<string, bigint | null> | undefined> {
  const reply = await bus.request(listPosted, { intake_ids: intakeIds }).catch((cause: unknown) => {
    if (cause instanceof Problem && cause.code === "service_unavailable") return undefined;
    throw cause;
  });
  return reply && new Map(listPosted.output.parse(reply).posted.map(({ intake_id, amount }) => [intake_id, amount]));
}
