import { BANK_MOVEMENTS_PAGE, type listBankMovements, type Mode, type Result } from "@collect/contracts";
import { type Pool, query } from "@collect/database";

type Movement = Result<typeof listBankMovements>["rows"][number];

// A page of each, of which the first rows are a page of both. A reversal is in our books once it is admitted.
const pageOf = (mode: Mode) =>
  // Written out, so that any plan can use the index of live transfers: test money between them is not walked.
  query<Movement>(`
    (
      select intake_id, bank, bank_transfer_id, amount, bank_fee, bank_vat, session_id, settlement_id, paid_at, received_at
      from inbound_transfers
      where mode = '${mode}' and (received_at, intake_id) > ($1::timestamptz, $2)
      order by received_at, intake_id limit ${BANK_MOVEMENTS_PAGE}
    ) union all (
      select reversal_id, bank, bank_transfer_id, -amount, -bank_fee, -bank_vat, session_id, settlement_id, reversed_at, admitted_at
      from inbound_reversals
      where mode = '${mode}' and (admitted_at, reversal_id) > ($1::timestamptz, $2)
      order by admitted_at, reversal_id limit ${BANK_MOVEMENTS_PAGE}
    )
    order by received_at, intake_id limit ${BANK_MOVEMENTS_PAGE}`);
const pages = { live: pageOf("live"), test: pageOf("test") };

/** What banks reported after a place, by the time of receipt: collections, money in suspense, and what was taken back of either. */
export function readBankMovements(
  pool: Pool,
  { mode, after }: { mode: Mode; after: { at: string; key: string } },
): Promise<Movement[]> {
  return pages[mode](pool, [after.at, after.key]);
}
