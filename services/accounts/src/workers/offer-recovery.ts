import { type Bus, pages, type Recover, untilConsumed } from "@collect/bus";
import { listLineOffers, type Result, releaseLine, transferReceived, transferUnallocated } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { intakeIdOf } from "../domain/intake.ts";
import { restoreOffers, withdrawnOf } from "../store/line-offers.ts";
import { restoreSessions } from "../store/missed-transfers.ts";
import { creditedOf } from "../use-cases/credited-offers.ts";

/** How accounts knows again, after a restore, what operators offered from statements, and what became of it. */

type Deps = { pool: Pool; bus: Bus; intakeKey: string };
type Offer = Result<typeof listLineOffers>["rows"][number] & { intakeId: string };

/** Those of offers that stand: one that was withdrawn has no session, though its line may not be released yet. */
export async function restoreOfferedSessions(deps: Deps): Promise<void> {
  for await (const offers of offersOf(deps))
    await transaction(deps.pool, async (tx) => {
      const withdrawn = new Set(await withdrawnOf(tx, offers));
      const sessions = offers.filter((offer) => !withdrawn.has(offer)).map(toSession);
      await restoreSessions(tx, sessions);
    });
}

const toSession = ({ bank, session_id: sessionId, intakeId }: Offer) => ({ bank, sessionId, intakeId });

/**
 * An offer that was credited since the backup is not withdrawn. All others are open, as those on which nothing was decided: they are withdrawn,
 * or credited by a repeat. What was published before the restore is booked by then, and a transfer that was never published is nowhere. The
 * line of an offer that was withdrawn by an act that died is released.
 */
export async function recoverOffers(deps: Deps, progress: Parameters<Recover>[1]): Promise<void> {
  const { pool, bus } = deps;
  let isBooked = false;
  for await (const offers of offersOf(deps)) {
    if (offers.length === 0) continue;
    if (!isBooked) await untilConsumed(bus, [transferReceived, transferUnallocated], progress);
    isBooked = true;
    const credited = await creditedOf(deps, offers);
    await restoreOffers(
      pool,
      credited.map(({ line, offered_at: offeredAt }) => ({ line, offeredAt })),
    );
    for (const { line, bank_transfer_id, offered_at } of await withdrawnOf(pool, offers))
      await bus.request(releaseLine, { line, bank_transfer_id, offered_at });
    await progress.step("offers");
  }
}

async function* offersOf({ bus, intakeKey }: Deps): AsyncGenerator<Offer[]> {
  for await (const rows of pages((after) => bus.request(listLineOffers, { after })))
    yield rows.map((row) => {
      const offer = listLineOffers.output.shape.rows.element.parse(row);
      const { bank, bank_transfer_id: bankTransferId } = offer;
      return { ...offer, intakeId: intakeIdOf(intakeKey, { bank, mode: "live", bankTransferId }) };
    });
}
