import { BANK_MOVEMENTS_PAGE, type listBankMovements, type Mode, type Result } from "@collect/contracts";
import { type Pool, query } from "@collect/database";

type Movement = Result<typeof listBankMovements>["rows"][number];

const pageOf = (mode: Mode) =>
  // Written out, so that any plan can use the index of live transfers: test money between them is not walked.
  query<Movement>(`
    select intake_id, bank, bank_transfer_id, amount, paid_at, received_at
    from inbound_transfers
    where mode = '${mode}' and (received_at, intake_id) > ($1::timestamptz, $2)
    order by received_at, intake_id limit ${BANK_MOVEMENTS_PAGE}`);
const pages = { live: pageOf("live"), test: pageOf("test") };

/** What banks reported after a place, by the time of receipt: collections and money in suspense alike. */
export function readBankMovements(
  pool: Pool,
  { mode, after }: { mode: Mode; after: { at: string; key: string } },
): Promise<Movement[]> {
  return pages[mode](pool, [after.at, after.key]);
}
