import type { findReceivedTransfers, Input, Result } from "@collect/contracts";
import { type Pool, query } from "@collect/database";

type Transfer = Result<typeof findReceivedTransfers>["transfers"][number];

const FOUND_MAX = 10;
const transfersBy = (condition: string) =>
  query<Transfer>(`
    select t.intake_id, t.mode, t.bank, t.bank_transfer_id, t.account_number, t.amount, t.bank_fee, t.bank_vat, t.reversed, t.session_id,
      coalesce(t.settlement_id, s.settlement_id) as settlement_id, t.merchant_id, t.customer_reference, t.reference, t.paid_at,
      t.received_at, t.allocated_at, t.completed_at
    from inbound_transfers t left join settled_transfers s on s.intake_id = t.intake_id
    where ${condition} limit ${FOUND_MAX}`);

// Each is one lookup in an index.
const byIntake = transfersBy("t.intake_id = $1");
const byBankId = transfersBy("t.bank = $1 and t.mode = 'live' and t.bank_transfer_id = $2");
const bySession = transfersBy("t.bank = $1 and t.mode = 'live' and t.session_id = $2");

/** Incoming transfers as an operator looks them up. */
export function readReceivedTransfers(pool: Pool, { by }: Input<typeof findReceivedTransfers>): Promise<Transfer[]> {
  if ("intake_id" in by) return byIntake(pool, [by.intake_id]);
  if ("session_id" in by) return bySession(pool, [by.bank, by.session_id]);
  return byBankId(pool, [by.bank, by.bank_transfer_id]);
}
