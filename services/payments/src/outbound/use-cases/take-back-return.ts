import type { Bus } from "@collect/bus";
import { Problem, releaseReturn } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { failpoint } from "@collect/runtime";
import { isReturnedBy, type Transfer } from "../domain/transfer.ts";
import { beginTakingBack, endTakingBack, findFencedLine } from "../store/payout-returns.ts";
import { livePayout } from "./live-payout.ts";

/**
 * Frees a line that statements keeps for a payout, and the payout for another line, if this one has not returned it. From the first statement on
 * an act in progress is too late, and until statements has answered none begins: so no payout is reversed by a line that is free. A repeat
 * finishes what died in between, and is otherwise the same; it needs no act that is known here, as after a restore of this database.
 */
export async function takeBackReturn(
  { pool, bus }: { pool: Pool; bus: Bus },
  payout: { reference: string; merchant_id: string },
  line: string,
): Promise<Transfer> {
  const { reference } = await livePayout(pool, payout);
  const fence = await beginTakingBack(pool, { reference, line });
  const transfer = await livePayout(pool, payout);
  if (!fence) assertNever(transfer, line, await findFencedLine(pool, reference));
  failpoint("fenced");
  await bus.request(releaseReturn, { line, reference });
  failpoint("released");
  if (fence) await endTakingBack(pool, reference, fence);
  return transfer;
}

/** Of a payout that is reversed by something else, the line is free for ever. */
function assertNever(transfer: Transfer, line: string, fenced: string | null): void {
  if (isReturnedBy(transfer, { line }))
    throw new Problem("conflict", "This transfer came back with this line: that is not taken back.");
  if (transfer.verdict !== "reversed")
    throw new Problem("conflict", `Its return has begun with the line ${fenced}: order that again, or take it back.`);
}
