import { type Session, statement } from "@collect/database";

/** Reversals that the ledger refuses, and that persons closed. */

export type ClosableReversal = {
  admittedAt: string | null;
  completedAt: string | null;
  merchantId: string | null;
  allocatedAt: string | null;
  closedAt: string | null;
};

const read = statement<ClosableReversal>(`
  select admitted_at as "admittedAt", completed_at as "completedAt", merchant_id as "merchantId", allocated_at as "allocatedAt",
    closed_at as "closedAt" from inbound_reversals where reversal_id = $1`);
export const readClosable = async (session: Session, reversalId: string): Promise<ClosableReversal | undefined> =>
  (await read(session, [reversalId]))[0];

const close = statement<{ reversal_id: string }>(`
  update inbound_reversals set closed_at = now(), completed_at = now(), closed_reason = $2
  where reversal_id = $1 and admitted_at is not null and completed_at is null and merchant_id is not distinct from $3
    and allocated_at is not distinct from $4::timestamptz
  returning reversal_id`);
/** False if it was booked, closed or allocated since it was read. */
export async function markClosed(
  session: Session,
  reversalId: string,
  { reason, read: { merchantId, allocatedAt } }: { reason: string; read: ClosableReversal },
): Promise<boolean> {
  return (await close(session, [reversalId, reason, merchantId, allocatedAt])).length > 0;
}
