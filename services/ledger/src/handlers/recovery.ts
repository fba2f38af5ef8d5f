import { answer, type Epochs, type Request, ROWS_A_MESSAGE } from "@collect/bus";
import { listPosted, listSuspenseReversals, listTransferReserves, REVERSALS_OF_CREDIT_MAX } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { decisionsSince, postedOf } from "../store/recovery.ts";
import { suspenseReversalsOf } from "../store/reversals.ts";

/** Serves payments and accounts after their databases were restored. Refused while the ledger itself is recovering from a restore. */
export function recoveryRequests({ pool, epochs }: { pool: Pool; epochs: Epochs }): Request[] {
  return [
    answer(listTransferReserves, async ({ since, after }) => {
      epochs.assertCurrent();
      return decisionsSince(pool, { since, after, limit: ROWS_A_MESSAGE });
    }),
    answer(listSuspenseReversals, async ({ credit_id }) => {
      epochs.assertCurrent();
      return { intake_ids: await suspenseReversalsOf(pool, credit_id, REVERSALS_OF_CREDIT_MAX) };
    }),
    answer(listPosted, async ({ intake_ids }) => {
      epochs.assertCurrent();
      return { posted: await postedOf(pool, intake_ids) };
    }),
  ];
}
