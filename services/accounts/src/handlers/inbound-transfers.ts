import { answer, type Bus, type Consumer, consumeByStatement, type Epochs, Later, type Request } from "@collect/bus";
import {
  collectionPosted,
  collectionRecorded,
  countInboundExceptions,
  getInboundTransfer,
  listUnderWay,
  Problem,
  readIntakes,
  suspensePosted,
} from "@collect/contracts";
import type { Pool, Session } from "@collect/database";
import { countExceptions } from "../store/exceptions.ts";
import { completeTransfers, completeUnallocated } from "../store/inbound-transfers.ts";
import { findInbound } from "../store/inbound-view.ts";
import { learnTransfers, unknownTransfers } from "../store/recovery.ts";
import { spansUnderWay } from "../store/under-way.ts";

/** What a merchant's people see of the intake, and whether money is under way to an account. */
export function inboundTransferRequests({ pool, lists }: { pool: Pool; lists: Pool }): Request[] {
  return [
    answer(getInboundTransfer, async ({ merchant, intake_id }) => {
      const transfer = await findInbound(lists, merchant, intake_id);
      if (!transfer) throw new Problem("not_found", "There is no such transfer.");
      return transfer;
    }),
    answer(countInboundExceptions, ({ merchant }) => countExceptions(lists, merchant)),
    // For payments, which calls no session expired while money that came in time may still reach it.
    answer(listUnderWay, async ({ spans }) => ({ under_way: await spansUnderWay(pool, spans) })),
  ];
}

/** The end of the path: a transfer whose event is recorded is not driven any more. */
export function completeRecorded({ bus, epochs }: { bus: Bus; epochs: Epochs }): Consumer {
  return consumeByStatement(collectionRecorded, { batchMax: 300 }, async ({ tx }, recorded) => {
    const intakeIds = recorded.map(({ intakeId }) => intakeId);
    if (epochs.hasRecovered()) await learnUnknown(bus, tx, intakeIds);
    await completeTransfers(tx, recorded);
  });
}

/** The end of the path for money that nobody owns: it stands in suspense. */
export function completeInSuspense(): Consumer {
  return consumeByStatement(suspensePosted, { batchMax: 300 }, ({ tx }, posted) =>
    completeUnallocated(
      tx,
      posted.map(({ intakeId }) => intakeId),
    ),
  );
}

/** After a restore transfers come to their end that were on their way when their rows were lost. */
async function learnUnknown(bus: Bus, tx: Session, intakeIds: string[]): Promise<void> {
  const unknown = await unknownTransfers(tx, intakeIds);
  if (unknown.length === 0) return;
  const { intakes } = await bus.request(readIntakes, { intake_ids: unknown }).catch((cause) => {
    throw new Later("payments does not say what came", { cause });
  });
  await learnTransfers(
    tx,
    intakes.map((intake) => collectionPosted.data.parse(intake)),
  );
}
