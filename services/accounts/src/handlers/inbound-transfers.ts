import {
  answer,
  type Bus,
  type Consumer,
  consumeByStatement,
  type Epochs,
  type Request,
  RetryLater,
} from "@collect/bus";
import {
  collectionPosted,
  collectionRecorded,
  countInboundExceptions,
  getInboundTransfer,
  listBankMovements,
  listInFlight,
  Problem,
  readIntakes,
  readReversals,
  reversalRecorded,
  suspensePosted,
  suspenseReversed,
  transferReversed,
} from "@collect/contracts";
import type { Pool, Session } from "@collect/database";
import { readBankMovements } from "../store/bank-movements.ts";
import { countExceptions } from "../store/exceptions.ts";
import { spansInFlight } from "../store/in-flight.ts";
import { completeTransfers, completeUnallocated } from "../store/inbound-transfers.ts";
import { findInbound } from "../store/inbound-view.ts";
import { missingTransfers, restoreTransfers } from "../store/recovery.ts";
import { missingReversals, restoreReversals } from "../store/reversal-recovery.ts";
import { completeReversals, completeSuspenseReversals } from "../store/reversals.ts";

/** The intake as a merchant sees it, and the accounts with transfers in flight. */
export function inboundTransferRequests({
  pool,
  lists,
  epochs,
}: {
  pool: Pool;
  lists: Pool;
  epochs: Epochs;
}): Request[] {
  return [
    answer(getInboundTransfer, async ({ merchant, intake_id }) => {
      const transfer = await findInbound(lists, merchant, intake_id);
      if (!transfer) throw new Problem("not_found", "There is no such transfer.");
      return transfer;
    }),
    answer(countInboundExceptions, ({ merchant }) => countExceptions(lists, merchant)),
    answer(listBankMovements, async (given) => {
      // Until then it lacks what the restore has lost.
      epochs.assertCurrent();
      return { rows: await readBankMovements(lists, given) };
    }),
    // For payments, which does not expire a session while money received in time may still reach it.
    answer(listInFlight, async ({ spans }) => ({ under_way: await spansInFlight(pool, spans) })),
  ];
}

/** No caller waits for a completion: those of the simulation are woken by the event itself. */
const COMPLETIONS_APART_MS = 100;

/** The ends of the path: what has its event, or is booked to suspense, is no longer driven. */
export function inboundTransferConsumers({ bus, epochs }: { bus: Bus; epochs: Epochs }): Consumer[] {
  return [
    consumeByStatement(
      collectionRecorded,
      { batchMax: 300, apartMs: COMPLETIONS_APART_MS },
      async ({ tx }, recorded) => {
        const intakeIds = recorded.map(({ intakeId }) => intakeId);
        if (epochs.hasRecovered()) await restoreMissing(bus, tx, intakeIds);
        await completeTransfers(tx, recorded);
      },
    ),

    consumeByStatement(suspensePosted, { batchMax: 300 }, ({ tx }, posted) =>
      completeUnallocated(
        tx,
        posted.map(({ intakeId }) => intakeId),
      ),
    ),

    consumeByStatement(reversalRecorded, { batchMax: 100 }, async ({ tx }, recorded) => {
      const intakeIds = recorded.map(({ intakeId }) => intakeId);
      if (epochs.hasRecovered()) await restoreMissingReversals(bus, tx, intakeIds);
      await completeReversals(tx, recorded);
    }),

    consumeByStatement(suspenseReversed, { batchMax: 100 }, async ({ tx }, reversed) => {
      await completeSuspenseReversals(
        tx,
        reversed.map(({ intakeId }) => intakeId),
      );
    }),
  ];
}

/** After a restore, events are recorded for transfers whose rows were lost: the rows are restored first. */
async function restoreMissing(bus: Bus, tx: Session, intakeIds: string[]): Promise<void> {
  const missing = await missingTransfers(tx, intakeIds);
  if (missing.length === 0) return;
  const { intakes } = await bus.request(readIntakes, { intake_ids: missing }).catch((cause) => {
    throw new RetryLater("payments did not return the transfers", { cause });
  });
  await restoreTransfers(
    tx,
    intakes.map((intake) => collectionPosted.data.parse(intake)),
  );
}

/** The same of reversals. */
async function restoreMissingReversals(bus: Bus, tx: Session, intakeIds: string[]): Promise<void> {
  const missing = await missingReversals(tx, intakeIds);
  if (missing.length === 0) return;
  const { reversals } = await bus.request(readReversals, { intake_ids: missing }).catch((cause) => {
    throw new RetryLater("payments did not return the reversals", { cause });
  });
  await restoreReversals(
    tx,
    reversals.map((reversal) => transferReversed.data.parse(reversal)),
  );
}
