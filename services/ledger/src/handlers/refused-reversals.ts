import { answer, type Epochs, type Request } from "@collect/bus";
import { discardRefusedReversal, getReversalRefusal } from "@collect/contracts";
import { deleteDeadLetters, type Pool, transaction } from "@collect/database";
import { refusedLetters } from "../use-cases/refused-letters.ts";

/** What accounts asks about a reversal that a person closes. A restored ledger may lack what the reversal contradicts. */
export const refusedReversalRequests = ({ pool, epochs }: { pool: Pool; epochs: Epochs }): Request[] => [
  answer(getReversalRefusal, async ({ intake_id, from }) => {
    epochs.assertCurrent();
    const letters = await transaction(pool, (tx) => refusedLetters(tx, intake_id));
    return { refusal: letters.find((letter) => letter.from === from)?.refusal ?? null };
  }),
  answer(discardRefusedReversal, async ({ intake_id }) => {
    epochs.assertCurrent();
    return transaction(pool, async (tx) => {
      const letters = await refusedLetters(tx, intake_id);
      await deleteDeadLetters(tx, letters);
      return { discarded: letters.length };
    });
  }),
];
