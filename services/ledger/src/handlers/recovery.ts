import { answer, type Epochs, type Request, ROWS_A_MESSAGE } from "@collect/bus";
import { listTransferReserves } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { decisionsSince } from "../store/recovery.ts";

/** Serves payments after its database was restored. Refused while the ledger itself is recovering from a restore. */
export function recoveryRequests({ pool, epochs }: { pool: Pool; epochs: Epochs }): Request[] {
  return [
    answer(listTransferReserves, async ({ since, after }) => {
      epochs.assertCurrent();
      return decisionsSince(pool, { since, after, limit: ROWS_A_MESSAGE });
    }),
  ];
}
