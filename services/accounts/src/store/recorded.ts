import { type Pool, statement } from "@collect/database";

const recorded = statement<{ reference: string; deliveryNumber: bigint | null }>(`
  select reference, delivery_number as "deliveryNumber" from inbound_transfers
  where intake_id = $1 and completed_at is not null and reference is not null
  union all
  select reference, delivery_number from inbound_reversals
  where reversal_id = $1 and completed_at is not null and reference is not null`);

/** The public reference of a collection or a reversal, and the delivery number of its event. Undefined while it is in flight. */
export async function readRecorded(
  pool: Pool,
  intakeId: string,
): Promise<{ reference: string; deliveryNumber: number | null } | undefined> {
  const [row] = await recorded(pool, [intakeId]);
  return (
    row && { reference: row.reference, deliveryNumber: row.deliveryNumber === null ? null : Number(row.deliveryNumber) }
  );
}
