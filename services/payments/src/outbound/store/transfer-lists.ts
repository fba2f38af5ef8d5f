import type { MerchantScope } from "@collect/contracts";
import { type Session, statement } from "@collect/database";
import { type Page, pageValues } from "../../domain/page.ts";
import type { Transfer } from "../domain/transfer.ts";
import { IS_VISIBLE, TRANSFER_COLUMNS } from "./transfers.ts";

/** Transfer lists for the dashboard: transfers whose money is or was reserved. */

const SCOPE = "t.merchant_id = $1 and t.mode = $2";
const BEHIND = "t.created_at >= $3::timestamptz and (t.created_at, t.reference) < ($4::timestamptz, $5)";
const IN_ORDER = "order by t.created_at desc, t.reference desc limit $6";
const ALL_IN_ORDER = `order by t."createdAt" desc, t.reference desc limit $6`;

// Each status is a walk of its own along an index: however few transfers have one, no others are read.
const list = statement<Transfer>(`
  select t.* from unnest($7::text[]) as wanted (status) cross join lateral (
    select ${TRANSFER_COLUMNS} from transfers t where ${SCOPE} and ${IS_VISIBLE} and t.status = wanted.status and ${BEHIND} ${IN_ORDER}
  ) t ${ALL_IN_ORDER}`);

const FILTERED = `${SCOPE} and t.step not in ('created', 'refused') and ${BEHIND} and t.status = any($7::text[])`;

const found = statement<Transfer>(`
  with named as materialized (select * from transfers where reference = $8),
    ordered as materialized (select * from transfers t
      where ${SCOPE} and t.merchant_reference = $8 and t.step <> 'refused')
  select * from (
    (select ${TRANSFER_COLUMNS} from named t where ${FILTERED})
    union (select ${TRANSFER_COLUMNS} from ordered t where ${FILTERED})
    union (select ${TRANSFER_COLUMNS} from transfers t where t.account_number = $8 and ${FILTERED} ${IN_ORDER})
  ) t ${ALL_IN_ORDER}`);

export type TransferFilter = { statuses: readonly Transfer["status"][]; search: string | undefined };

/** A page of a merchant's transfers. */
export function listTransfersByCursor(
  tx: Session,
  merchant: MerchantScope,
  { page, filter: { statuses, search } }: { page: Page; filter: TransferFilter },
): Promise<Transfer[]> {
  const values = [merchant.id, merchant.mode, ...pageValues(page), statuses];
  return search === undefined ? list(tx, values) : found(tx, [...values, search]);
}
