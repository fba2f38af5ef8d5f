import { BANK_MOVEMENTS_PAGE, type listBankMovements, type Mode, type Result } from "@collect/contracts";
import { type Pool, query } from "@collect/database";

type Movement = Result<typeof listBankMovements>["rows"][number];

const RECEIVED =
  "t.intake_id, t.bank, t.bank_transfer_id, t.amount, t.bank_fee, t.bank_vat, t.session_id, t.settlement_id, t.paid_at, t.received_at";

// A page of each, of which the first rows are a page of all. A reversal is listed once it is admitted, and what was restored in the place of that.
// What was settled later is listed again.
const pageOf = (mode: Mode) =>
  // Written out, so that any plan can use the index of live transfers: test money between them is not walked.
  query<Movement>(`
    select intake_id, bank, bank_transfer_id, amount, bank_fee, bank_vat, session_id, paid_at, received_at, listed_at,
      coalesce(settlement_id, (select s.settlement_id from settled_transfers s where s.intake_id = page.intake_id)) as settlement_id
    from (
      (
        select ${RECEIVED}, t.received_at as listed_at from inbound_transfers t
        where mode = '${mode}' and (received_at, intake_id) > ($1::timestamptz, $2)
        order by received_at, intake_id limit ${BANK_MOVEMENTS_PAGE}
      ) union all (
        select ${RECEIVED}, t.restored_at from inbound_transfers t
        where mode = '${mode}' and restored_at is not null and (restored_at, intake_id) > ($1::timestamptz, $2)
        order by restored_at, intake_id limit ${BANK_MOVEMENTS_PAGE}
      ) union all (
        select reversal_id, bank, bank_transfer_id, -amount, -bank_fee, -bank_vat, session_id, settlement_id, reversed_at, received_at, admitted_at
        from inbound_reversals
        where mode = '${mode}' and (admitted_at, reversal_id) > ($1::timestamptz, $2)
        order by admitted_at, reversal_id limit ${BANK_MOVEMENTS_PAGE}
      ) union all (
        select ${RECEIVED}, s.noticed_at from settled_transfers s join inbound_transfers t on t.intake_id = s.intake_id
        where $3::boolean and t.mode = '${mode}' and (s.noticed_at, s.intake_id) > ($1::timestamptz, $2)
        order by s.noticed_at, s.intake_id limit ${BANK_MOVEMENTS_PAGE}
      )
      order by listed_at, intake_id limit ${BANK_MOVEMENTS_PAGE}
    ) as page
    order by listed_at, intake_id`);
const pages = { live: pageOf("live"), test: pageOf("test") };

/**
 * What banks reported after a place, by the time of receipt: collections, money in suspense, and what was taken back of either. What was restored
 * comes again at that time: a reader may have been past its receipt. With `settled`, which the previous release does not ask for, a transfer comes
 * again at the time when its settlement was reported.
 */
export function readBankMovements(
  pool: Pool,
  { mode, after, settled = false }: { mode: Mode; after: { at: string; key: string }; settled?: boolean | undefined },
): Promise<Movement[]> {
  return pages[mode](pool, [after.at, after.key, settled]);
}
