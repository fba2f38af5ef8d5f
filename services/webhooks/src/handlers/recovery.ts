import { answer, type Epochs, type Request, ROWS_A_MESSAGE } from "@collect/bus";
import { CollectionAttached, CollectionSuccess, listAttachments, readDecisions } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { attachedOf, collectionKey } from "../domain/event.ts";
import { type AttachedRow, attachedSince, bodiesOf } from "../store/recovery.ts";

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
    answer(listAttachments, async ({ since, after }) => {
      epochs.assertCurrent();
      const events = await attachedSince(pool, { since, after, limit: ROWS_A_MESSAGE });
      const last = events.length < ROWS_A_MESSAGE ? undefined : events.at(-1);
      return { rows: events.map(attachmentOf), next: last ? { at: last.at, key: last.key } : null };
    }),
  ];
}

function attachmentOf({ key, merchant_id, mode, body, created_at }: AttachedRow) {
  const { data } = CollectionAttached.parse(JSON.parse(body.toString()));
  const { payment_reference, merchant_reference, customer_reference, customer_name, metadata } = data;
  return {
    ...{ intake_id: attachedOf(key), merchant: { id: merchant_id, mode }, attached_at: created_at },
    ...{ payment_reference, merchant_reference, customer_reference, customer_name, ...(metadata && { metadata }) },
  };
}
