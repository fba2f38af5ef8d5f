import type { NotificationOutcome, SettlementNotice } from "@collect/bank";
import { type Pool, transaction } from "@collect/database";
import { failpoint, type Logger } from "@collect/runtime";
import { intakeIdOf } from "../domain/intake.ts";
import type { Partners } from "../domain/partners.ts";
import { insertSettled, settledElsewhere } from "../store/settled-transfers.ts";
import { rethrow } from "./intake-results.ts";

type Deps = {
  pool: Pool;
  log: Logger;
  intakeKey: string;
  partners: Pick<Partners, "all">;
  /** How long a transfer may be reported after its settlement before its partner is asked for it. */
  askAfterMs: number;
};
type Notice = SettlementNotice & { bank: string };

export type TakeSettlement = (notice: Notice) => Promise<NotificationOutcome>;

/** So many of what contradicts are in the log. */
const NAMED_MAX = 20;

/**
 * Commits which transfers a partner settled in one sum, before it is answered, whether or not they are reported yet: their intake ids derive from
 * the partner's ids. A transfer is in one settlement. A notice that has one of them in another is refused as a whole, since which of the two is
 * right is for a person to find out. The intake rows, and all facts that follow from them, stay as they are. What is never reported is asked
 * for later (`workers/unreported.ts`).
 */
export function createTakeSettlement({ pool, log, intakeKey, partners, askAfterMs }: Deps): TakeSettlement {
  return async ({ bank, settlementId, settled: given }) => {
    const settled = new Map(
      given.map(({ id: bankTransferId, ...said }) => {
        const intakeId = intakeIdOf(intakeKey, { bank, mode: "live", bankTransferId });
        return [intakeId, { intakeId, bankTransferId, ...said }];
      }),
    );
    const canBeAsked = partners.all.some(({ id, lookup }) => id === bank && lookup);
    const notice = { bank, settlementId, askAfterMs: canBeAsked ? askAfterMs : null };
    const taken = await transaction(pool, async (tx) => {
      const isNew = (await insertSettled(tx, { settled: [...settled.values()], ...notice })) > 0;
      const contradicted = await settledElsewhere(tx, { intakeIds: [...settled.keys()], settlementId });
      if (contradicted.length > 0) throw new Contradicted(contradicted);
      return isNew ? ("accepted" as const) : ("duplicate" as const);
    }).catch((error: unknown) => (error instanceof Contradicted ? error : rethrow(error)));
    if (!(taken instanceof Contradicted)) {
      failpoint("committed");
      return taken;
    }
    log.error(
      {
        ...{ alarm: "settlement_contradicted", partner: bank, settlement_id: settlementId },
        intake_ids: taken.intakeIds.slice(0, NAMED_MAX),
      },
      "a settlement has transfers that are in another one: nothing of it was taken",
    );
    return "quarantined";
  };
}

/** Rolls the notice back. */
class Contradicted extends Error {
  readonly intakeIds: string[];
  constructor(intakeIds: string[]) {
    super("transfers are in another settlement");
    this.intakeIds = intakeIds;
  }
}
