import {
  type Bus,
  pages,
  type Recover,
  type RedrivenReversal,
  redriveReversalsUntilStored,
  redriveUntilStored,
} from "@collect/bus";
import { listOutboundTransfers } from "@collect/contracts";
import { type Pool, readClock } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { REVERSALS } from "../domain/reversal.ts";
import type { ReversalBooking } from "../domain/transaction.ts";
import { countMinutes, restoreBookings } from "../store/recovery.ts";
import { undecidedReversals } from "../store/reversals.ts";

/**
 * How the ledger catches up after a restore. Accounts redrives collections; then every transfer that payments has recorded
 * as reserved is reserved again, with its outcome. Until all of them are booked, no other transfer is reserved.
 */
export function createRecover({
  pool,
  bus,
  log,
  shard,
}: {
  pool: Pool;
  bus: Bus;
  log: Logger;
  shard: number;
}): Recover {
  return async (recovery, progress) => {
    await progress.step("collections");
    const held = (span: { from: string; to: string }) => countMinutes(pool, span);
    await redriveUntilStored({ bus, recovery, progress, kinds: ["collection", "suspense"], held });

    // A reversal or a return may cover a transfer that is listed before it.
    for (let uncovered = Number.POSITIVE_INFINITY; uncovered > 0; ) {
      const before = uncovered;
      uncovered = 0;
      const since = recovery.restoredTo;
      for await (const page of pages((after) => bus.request(listOutboundTransfers, { since, after }))) {
        await progress.step("transfers");
        for (const { transfer_id, merchant, amount, order, outcome, ...times } of page) {
          const transfer = { transferId: transfer_id, merchant, amount: BigInt(amount) };
          const ends = { completedAt: times.completed_at ?? null, reversedAt: times.reversed_at ?? null };
          const context = { shard, ends, notifiedAt: (await readClock(pool)).toISOString() };
          if (await restoreBookings(pool, transfer, { outcome, order, context })) continue;
          uncovered++;
          const line = { transfer_id, merchant_id: merchant.id, mode: merchant.mode };
          log.error(
            { alarm: "transfer_uncovered", ...line },
            "Settled does not cover a transfer that was reserved before the restore",
          );
        }
      }
      if (uncovered > 0 && uncovered >= before) throw new Error(`${uncovered} transfers are not covered`);
    }
    // After the transfers: what was promised to them may be owed by now.
    await redriveReversalsUntilStored({
      ...{ bus, recovery, progress, step: REVERSALS },
      missing: (reversals) => undecidedReversals(pool, reversals.flatMap(bookingsOf), { since: recovery.noticedAt }),
    });
  };
}

/** Its transactions. */
function bookingsOf({ intake_id: intakeId, credit_id, merchant, allocated }: RedrivenReversal) {
  const booking = (kind: ReversalBooking) => ({ intakeId, key: `${credit_id}:${kind}:${intakeId}` });
  if (!merchant) return [booking("suspense_reversal")];
  return allocated ? [booking("suspense_reversal"), booking("allocation_reversal")] : [booking("collection_reversal")];
}
