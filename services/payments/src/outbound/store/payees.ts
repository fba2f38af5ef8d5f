import type { Actor } from "@collect/contracts";
import { type Pool, statement, type Transaction } from "@collect/database";
import type { End } from "../domain/transfer.ts";

/** The payees of live payouts. A trigger on transfers inserts them; here they are announced. */

/** How many of an announcement are named. */
export const PAYEES_SHOWN = 10;
/** A merchant's payees after the first one are gathered for this long. */
const GATHERED_FOR = "interval '15 minutes'";

/** Held to the end of the transaction, so that a group is complete when its key becomes visible. */
const lock = statement("select pg_advisory_xact_lock(hashtext('payee announcements'))");

const assign = statement(`
  update payees p set announcement = first.reference, announced_at = clock_timestamp()
  from (
    select distinct on (merchant_id) merchant_id, reference from payees waiting
    where announcement is null and not exists (
      select from payees recent where recent.merchant_id = waiting.merchant_id and recent.announced_at > clock_timestamp() - ${GATHERED_FOR})
    order by merchant_id, ordered_at limit $1
  ) first
  where p.merchant_id = first.merchant_id and p.announcement is null`);

/** Gathers each merchant's new payees, unless some were announced a moment ago. From then on a group does not change. */
export async function assignAnnouncements(tx: Transaction, merchantsMax: number): Promise<void> {
  await lock(tx);
  await assign(tx, [merchantsMax]);
}

export type AnnouncementRow = {
  key: string;
  merchant_id: string;
  at: string;
  count: number;
  payees: {
    reference: string;
    amount: string;
    bank_name: string;
    account_number: string;
    account_name: string;
    name_withheld: boolean;
    status: "pending" | End;
    ordered_by: Actor | null;
    ordered_at: string;
  }[];
};

const list = statement<AnnouncementRow>(`
  with groups as (
    select announcement as key, min(merchant_id) as merchant_id, min(announced_at) as at, count(*)::integer as count from payees
    where announcement is not null and acknowledged_at is null group by announcement order by 3, 1 limit $1
  )
  select g.*, (
    select jsonb_agg(jsonb_build_object('reference', t.merchant_reference, 'amount', t.amount::text, 'bank_name', t.bank_name,
      'account_number', t.account_number, 'account_name', t.account_name, 'name_withheld', t.name_withheld, 'status', t.status,
      'ordered_by', t.ordered_by,
      'ordered_at', to_char(named.ordered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')) order by named.ordered_at)
    from (
      select reference, ordered_at from payees p
      where p.announcement = g.key and acknowledged_at is null order by ordered_at, reference limit $2
    ) named join transfers t on t.reference = named.reference
  ) as payees
  from groups g order by g.at, g.key`);

/** The oldest that were not acknowledged. */
export const listAnnouncements = (tx: Transaction, limits: { announcements: number; payees: number }) =>
  list(tx, [limits.announcements, limits.payees]);

const acknowledge = statement(`
  update payees set acknowledged_at = clock_timestamp()
  where announcement = any ($1::text[]) and acknowledged_at is null`);
export const acknowledgePayees = async (pool: Pool, keys: string[]) => void (await acknowledge(pool, [keys]));
