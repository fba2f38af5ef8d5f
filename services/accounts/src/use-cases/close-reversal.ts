import type { Bus, Epochs } from "@collect/bus";
import {
  type closeRefusedReversal,
  conflictIn,
  discardRefusedReversal,
  getReversalRefusal,
  type Input,
  Problem,
  type Result,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type ClosableReversal, markClosed, readClosable } from "../store/closed-reversals.ts";

type Deps = { pool: Pool; bus: Bus; epochs: Pick<Epochs, "assertCurrent"> };

/**
 * Closes a reversal that the ledger refuses: nothing is booked, and nothing is driven any more. The ledger says first that it would refuse
 * it again; its dead letters are deleted last, so that a repeat finishes what died between.
 */
export async function closeReversal(
  { pool, bus, epochs }: Deps,
  { intake_id, reason }: Input<typeof closeRefusedReversal>,
): Promise<Result<typeof closeRefusedReversal>> {
  // Restored, accounts may have forgotten whose money it was, which is why the ledger refuses it.
  epochs.assertCurrent();
  const found = await readClosable(pool, intake_id);
  if (!found) throw new Problem("not_found", "There is no such reversal.");
  const refusal = found.closedAt === null ? await refusalOf(bus, intake_id, found) : null;
  epochs.assertCurrent();
  const isClosed = refusal !== null && (await markClosed(pool, intake_id, { reason, read: found }));
  if (!isClosed) assertClosed(await readClosable(pool, intake_id), refusal);
  await bus.request(discardRefusedReversal, { intake_id });
  return isClosed ? { status: "closed", refusal } : { status: "duplicate", refusal: null };
}

async function refusalOf(bus: Bus, intake_id: string, found: ClosableReversal): Promise<string | null> {
  if (found.admittedAt === null)
    throw closable("not_refused", "It waits for its transfer, or is in quarantine: the ledger has not seen it.");
  if (found.completedAt !== null) throw closable("not_refused", "Every service has booked it.");
  const from = found.merchantId === null ? "suspense" : "merchant";
  return (await bus.request(getReversalRefusal, { intake_id, from })).refusal;
}

/** The same act at the same moment may have closed it, and deleted its dead letters, since it was read. */
function assertClosed(now: ClosableReversal | undefined, refusal: string | null): void {
  if (now && now.closedAt !== null) return;
  if (refusal === null) throw closable("not_refused", "The ledger does not refuse it: it is on its way.");
  throw closable("changed_meanwhile", "It was allocated or booked meanwhile: look at it again.");
}

const closable = (code: string, message: string) => conflictIn("intake_id", code, message);
