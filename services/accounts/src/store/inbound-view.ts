import type { MerchantScope } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";

type Row = {
  bank_transfer_id: string;
  narration: string | null;
  account_retired: boolean;
  allocated_at: string | null;
  paid_at: string;
  received_at: string;
  completed_at: string | null;
  session_id: string | null;
};

const find = statement<Row>(`
  select bank_transfer_id, narration, account_retired, allocated_at, paid_at, received_at, completed_at, session_id
  from inbound_transfers where intake_id = $1 and merchant_id = $2 and mode = $3`);

/** A merchant's inbound transfer in responses. */
export async function findInbound(pool: Pool, merchant: MerchantScope, intakeId: string): Promise<Row | undefined> {
  const [row] = await find(pool, [intakeId, merchant.id, merchant.mode]);
  return row;
}
