import { answer, type Epochs, type Request } from "@collect/bus";
import { eraseEvents, surveyEvents } from "@collect/contracts";
import { eraseDeadLetters, type Pool, transaction } from "@collect/database";
import { erasedBody } from "../domain/erased-body.ts";
import { attachedKey, collectionKey } from "../domain/event.ts";
import { countEvents, lockBodies, replaceBodies } from "../store/erasures.ts";

/** The part of webhooks in an erasure. A database that is catching up has too few events: it refuses. */
export function erasureRequests({ pool, epochs }: { pool: Pool; epochs: Epochs }): Request[] {
  return [
    answer(surveyEvents, ({ intake_ids }) => countEvents(pool, intake_ids.flatMap(keysOf))),
    answer(eraseEvents, async ({ kind, intake_ids }) => {
      epochs.assertCurrent();
      const byKey = new Map(intake_ids.map((intakeId) => [collectionKey(intakeId), intakeId]));
      const erased = await transaction(pool, async (tx) => {
        await eraseDeadLetters(tx, intake_ids);
        const events = await lockBodies(tx, intake_ids.flatMap(keysOf));
        return replaceBodies(
          tx,
          events.map(({ key, body }) => ({ key, body: erasedBody(body, kind) })),
        );
      });
      // accounts keeps the hash of the event about the money.
      return {
        events: erased.flatMap(({ key, body_hash }) => {
          const intakeId = byKey.get(key);
          return intakeId === undefined ? [] : [{ intake_id: intakeId, body_hash }];
        }),
      };
    }),
  ];
}

/** The events of a transfer: of the money, and of what it was attached to. */
const keysOf = (intakeId: string): string[] => [collectionKey(intakeId), attachedKey(intakeId)];
