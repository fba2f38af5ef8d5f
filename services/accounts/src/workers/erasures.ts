import type { Bus } from "@collect/bus";
import type { Pool } from "@collect/database";
import { type Component, failpoint, interval, type Logger } from "@collect/runtime";
import { eraseSessionsOf, eraseTransfers, transfersOf } from "../adapters/persons.ts";
import type { Partners } from "../domain/partners.ts";
import {
  addTransfers,
  type ClaimedErasure,
  claimErasure,
  concludeErasure,
  eraseCustomerAccount,
  extendErasure,
  leaveTransfers,
  storeErased,
  takeTransfers,
  unfinishedOf,
} from "../store/erasures.ts";

export type Erasing = {
  everyMs: number;
  /** After this another replica continues the erasure of a crashed one. */
  leaseMs: number;
  /** How long an erasure waits for transfers on their way to the merchant's event. */
  waitMs: number;
  /** How long it waits for events that webhooks does not have. */
  missingMs: number;
  batchMax: number;
};
export const ERASING: Erasing = { everyMs: 1_000, leaseMs: 60_000, waitMs: 2_000, missingMs: 30_000, batchMax: 200 };

type Deps = { pool: Pool; bus: Bus; log: Logger; partners: Pick<Partners, "own">; erasing: Erasing };
type Tick = { signal: AbortSignal; stepped: () => void };

/** Carries out erasures, one at a time. Every step can be repeated, so a crash or an error only means that it is. */
export function createErasureWorker(deps: Deps): Component {
  const { pool, log, erasing } = deps;
  const claim = () => claimErasure(pool, erasing.leaseMs);
  return interval({ name: "erasures", everyMs: erasing.everyMs, log }, async (signal, stepped) => {
    for (let claimed = await claim(); claimed && !signal.aborted; claimed = await claim()) {
      const { id } = claimed.erasure;
      await erase(deps, claimed, { signal, stepped }).catch(async (error) => {
        // Others go first, and it is not kept until the lease ends.
        await concludeErasure(pool, id, { isInFlight: true, waitMs: erasing.waitMs });
        throw error;
      });
    }
  });
}

/**
 * The account first, so that transfers that still arrive carry no name; all transfers are found before the first is erased,
 * because an erased payer no longer leads to the others.
 */
async function erase(deps: Deps, claimed: ClaimedErasure, { signal, stepped }: Tick): Promise<void> {
  const { pool, bus, log, partners, erasing } = deps;
  const { erasure } = claimed;
  if (erasure.kind === "customer") await eraseCustomerAccount(pool, erasure);
  for await (const intakeIds of transfersOf(bus, erasure, erasure.id)) {
    await addTransfers(pool, erasure.id, intakeIds);
    await extendErasure(pool, erasure.id, erasing.leaseMs);
    stepped();
  }
  let isMissing = false;
  for (let batch = await eraseBatch(deps, claimed, ""); batch && !signal.aborted; ) {
    isMissing ||= batch.missing > 0;
    stepped();
    batch = await eraseBatch(deps, claimed, batch.last);
  }
  await eraseSessionsOf(bus, erasure);
  const isInFlight =
    signal.aborted || (erasure.kind === "customer" && (await unfinishedOf(pool, erasure, partners.own)) > 0);
  const waitMs = isMissing ? erasing.missingMs : erasing.waitMs;
  const isFinished = await concludeErasure(pool, erasure.id, { isInFlight, waitMs });
  log.info({ erasure: erasure.id, outcome: isFinished ? "finished" : "waiting" }, "erasure");
}

/**
 * Erases the transfers after this one. One whose event webhooks does not have keeps no other waiting: it is left to the next
 * pass, and the alarm says for which an operator has to have the event recorded.
 */
async function eraseBatch(
  { pool, bus, log, erasing }: Deps,
  claimed: ClaimedErasure,
  after: string,
): Promise<{ last: string; missing: number } | undefined> {
  const { erasure } = claimed;
  await extendErasure(pool, erasure.id, erasing.leaseMs);
  const intakeIds = await takeTransfers(pool, claimed, { after, limit: erasing.batchMax });
  const last = intakeIds.at(-1);
  if (last === undefined) return undefined;
  failpoint("committed");
  const events = await eraseTransfers(bus, erasure, intakeIds);
  failpoint("posted");
  await storeErased(pool, claimed, events);
  const erased = new Set(events.map(({ intake_id }) => intake_id));
  const missing = intakeIds.filter((intakeId) => !erased.has(intakeId));
  if (missing.length > 0) {
    await leaveTransfers(pool, claimed, missing);
    log.error(
      { alarm: "erasure_incomplete", erasure: erasure.id, intake_ids: missing },
      "webhooks has no event of these transfers: redrive the minutes that ops -- audit names",
    );
  }
  return { last, missing: missing.length };
}
