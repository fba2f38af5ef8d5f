import { answer, type Epochs, type Request, ROWS_A_MESSAGE } from "@collect/bus";
import {
  listAccountCopies,
  listIntakes,
  listReversals,
  readCollectionFacts,
  readIntakes,
  readReversals,
  storeAccountCopies,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { copiesSince, keepCopies } from "../store/account-copies.ts";
import { intakesOf, intakesReceived, succeededFacts } from "../store/collection-facts.ts";
import { readReversals as readStored, restorableOf, reversalsSince } from "../store/reversals.ts";

/** An intake has no metadata here: it has at most 1 kB. */
const INTAKES_PAGE = 300;

/**
 * Answers what a restored service asks about incoming money. A payments database that was itself restored refuses until
 * it has recovered.
 */
export function inboundRecoveryRequests({ pool, epochs }: { pool: Pool; epochs: Epochs }): Request[] {
  return [
    answer(readCollectionFacts, async ({ intake_ids }) => {
      epochs.assertCurrent();
      return { collections: await succeededFacts(pool, intake_ids) };
    }),
    answer(readIntakes, async ({ intake_ids }) => {
      epochs.assertCurrent();
      return { intakes: await intakesOf(pool, intake_ids) };
    }),
    answer(listIntakes, async (span) => {
      epochs.assertCurrent();
      const intakes = await intakesReceived(pool, { ...span, limit: INTAKES_PAGE });
      return { intakes, next: intakes.length < INTAKES_PAGE ? null : (intakes.at(-1)?.intakeId ?? null) };
    }),
    answer(listReversals, (page) => {
      epochs.assertCurrent();
      return reversalsSince(pool, { ...page, limit: ROWS_A_MESSAGE });
    }),
    answer(readReversals, async ({ intake_ids }) => {
      epochs.assertCurrent();
      return { reversals: (await readStored(pool, intake_ids)).map(restorableOf) };
    }),
    answer(storeAccountCopies, async ({ accounts }) => {
      await keepCopies(pool, accounts);
      return {};
    }),
    answer(listAccountCopies, (page) => {
      epochs.assertCurrent();
      return copiesSince(pool, { ...page, limit: ROWS_A_MESSAGE });
    }),
  ];
}
