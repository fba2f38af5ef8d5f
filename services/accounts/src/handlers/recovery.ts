import { answer, type Epochs, type Request, ROWS_A_MESSAGE } from "@collect/bus";
import { countIntakes, findFirstReceived, listRecordedCollections, redriveReversals } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { countMinutes, receivedSince, recordedSince } from "../store/recovery.ts";
import { redriveReversals as redrive } from "../store/reversal-recovery.ts";

const PAGE = 1_000;

/** Serves other services after their databases were restored. Refused while accounts itself is recovering from a restore. */
export function recoveryRequests({ pool, epochs }: { pool: Pool; epochs: Epochs }): Request[] {
  return [
    answer(listRecordedCollections, async ({ since, after }) => {
      epochs.assertCurrent();
      return recordedSince(pool, { since, after, limit: PAGE });
    }),
    answer(findFirstReceived, async ({ since }) => {
      epochs.assertCurrent();
      return receivedSince(pool, since);
    }),
    answer(redriveReversals, (page) => {
      epochs.assertCurrent();
      return redrive(pool, { ...page, limit: ROWS_A_MESSAGE });
    }),
    answer(countIntakes, async (span) => {
      epochs.assertCurrent();
      return { minutes: await countMinutes(pool, span) };
    }),
  ];
}
