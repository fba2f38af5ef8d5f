import { answer, type Epochs, type Request } from "@collect/bus";
import {
  listAccountCopies,
  listIntakes,
  readCollectionFacts,
  readIntakes,
  storeAccountCopies,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { copiesSince, keepCopies } from "../store/account-copies.ts";
import { intakesOf, intakesReceived, succeededFacts } from "../store/collection-facts.ts";

const PAGE = 500;
/** A fact is at most 1 kB, and a NATS message at most 1 MB. */
const FACTS_PAGE = 300;

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
      const intakes = await intakesReceived(pool, { ...span, limit: FACTS_PAGE });
      return { intakes, next: intakes.length < FACTS_PAGE ? null : (intakes.at(-1)?.intakeId ?? null) };
    }),
    answer(storeAccountCopies, async ({ accounts }) => {
      await keepCopies(pool, accounts);
      return {};
    }),
    answer(listAccountCopies, (page) => {
      epochs.assertCurrent();
      return copiesSince(pool, { ...page, limit: PAGE });
    }),
  ];
}
