import { type Pool, statement } from "@collect/database";

const recorded = statement<{ reference: string; deliveryNumber: bigint | null }>(`
  select reference, delivery_number as "deliveryNumber" from inbound_transfers
  where intake_id = $1 and completed_at is not null and reference is not null`);

/** The collection's public reference and its delivery number. Undefined while the transfer is in flight. */
export async function readRecorded(
  pool: Pool,
  intakeId: string,
): Promise<{ reference: string; deliveryNumber: number | null } | undefined> {
  const [row] = await recorded(pool, [intakeId]);
  return (
    row && { reference: row.reference, deliveryNumber: row.deliveryNumber === null ? null : Number(row.deliveryNumber) }
  );
}
