import { answer, type Epochs, type Request } from "@collect/bus";
import { CollectionSuccess, readDecisions } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { collectionKey } from "../domain/event.ts";
import { bodiesOf } from "../store/recovery.ts";

/** Serves payments after its database was restored. Refused while webhooks itself is recovering from a restore. */
export function recoveryRequests({ pool, epochs }: { pool: Pool; epochs: Epochs }): Request[] {
  return [
    answer(readDecisions, async ({ intake_ids }) => {
      epochs.assertCurrent();
      const byKey = new Map(intake_ids.map((intakeId) => [collectionKey(intakeId), intakeId]));
      const events = await bodiesOf(pool, [...byKey.keys()]);
      const decisions = events.map(({ key, body }) => {
        const { data } = CollectionSuccess.parse(JSON.parse(body.toString()));
        const { reference, payment_reference, merchant_reference, customer_name, metadata } = data;
        return {
          ...{ intake_id: byKey.get(key) ?? "", reference, payment_reference, merchant_reference },
          ...{ customer_name, ...(metadata && { metadata }) },
        };
      });
      return { decisions };
    }),
  ];
}
