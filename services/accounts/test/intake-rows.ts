import type { Mode } from "@collect/contracts";
import { randomId } from "@collect/testing";
import type { AccountsWorld } from "./world.ts";

export type GivenRow = {
  bank?: string;
  mode?: Mode;
  accountNumber?: string;
  amount?: bigint;
  receivedAt: Date;
  /** Null for unallocated money. */
  merchantId?: string | null;
  isAllocated?: boolean;
  isCompleted?: boolean;
};

/** An intake row at a later time. It is never due, so that no sweep interferes. */
export async function anIntakeRow({ owner }: AccountsWorld, given: GivenRow): Promise<string> {
  const intakeId = randomId("int");
  const { mode = "live", accountNumber = "0000000017", amount = 100n, receivedAt, merchantId = "mer_1" } = given;
  await owner.query(
    `insert into inbound_transfers (intake_id, bank, mode, bank_transfer_id, account_number, amount, currency,
       payer_name, paid_at, received_at, drive_at, merchant_id, allocated_at, completed_at)
     values ($1, $9, $2, $1, $3, $4, 'NGN', 'Chidi Eze', $5, $5, 'infinity', $6,
       case when $7 then $5::timestamptz end, case when $8 then $5::timestamptz end)`,
    [
      intakeId,
      mode,
      accountNumber,
      amount,
      receivedAt,
      merchantId,
      given.isAllocated ?? false,
      given.isCompleted ?? true,
      given.bank ?? "729",
    ],
  );
  return intakeId;
}
