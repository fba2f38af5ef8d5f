import { BANK_MOVEMENTS_PAGE, type listBankMovements, type Mode, type Result } from "@collect/contracts";
import { type Pool, query } from "@collect/database";

type Movement = Result<typeof listBankMovements>["rows"][number];

const page = query<Movement>(`
  select intake_id, bank, bank_transfer_id, amount, paid_at, received_at
  from inbound_transfers
  where mode = $1 and (received_at, intake_id) > ($2::timestamptz, $3)
  order by received_at, intake_id limit ${BANK_MOVEMENTS_PAGE}`);

/** What banks reported after a place, by the time of receipt: collections and money in suspense alike. */
export function readBankMovements(
  pool: Pool,
  { mode, after }: { mode: Mode; after: { at: string; key: string } },
): Promise<Movement[]> {
  return page(pool, [mode, after.at, after.key]);
}
