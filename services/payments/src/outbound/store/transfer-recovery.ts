import type { listTransferReserves, WireResult } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";
import { type ChangeCursor, START } from "../../domain/change-cursor.ts";
import type { Transfer } from "../domain/transfer.ts";
import { TRANSFER_COLUMNS } from "./transfers.ts";

/** What other services recover about transfers after a restore, and what payments recovers about its own. */

const touched = statement<Transfer & { at: string }>(`
  select ${TRANSFER_COLUMNS}, to_char(t.touched_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as at
  from transfers t
  where t.touched_at >= $1 and (t.touched_at, t.reference) > ($2::timestamptz, $3)
  order by t.touched_at, t.reference limit $4`);

/** Transfers that changed since then, in the order of their last change. */
export function touchedTransfers(pool: Pool, given: { since: string; after: ChangeCursor | null; limit: number }) {
  const { at, key } = given.after ?? START;
  return touched(pool, [given.since, at, key, given.limit]);
}

const byReference = statement<Transfer>(
  `select ${TRANSFER_COLUMNS} from transfers t where reference = any($1::text[])`,
);
export const readTransfers = (pool: Pool, references: string[]): Promise<Transfer[]> => byReference(pool, [references]);

const oldest = statement<{ at: string | null }>(
  // Six minutes early, because the ledger decided by its own clock, which may be five minutes apart.
  "select least($1::timestamptz, min(created_at) - interval '6 minutes') as at from transfers where step in ('created', 'reserved')",
);
/**
 * The time since which the ledger may have decided on transfers without this database knowing. It reaches back to the
 * oldest transfer that has not been sent.
 */
export async function reconcileSince(pool: Pool, restoredTo: string): Promise<string> {
  const [row] = await oldest(pool, [restoredTo]);
  return row?.at ?? restoredTo;
}

type Reserve = WireResult<typeof listTransferReserves>["rows"][number];

const insertLost = statement(`
  insert into transfers (reference, merchant_id, mode, amount, merchant_reference, bank_code, bank_name, account_number,
    account_name, narration, created_at, metadata, step, sent_at, next_at)
  select reference, merchant_id, mode, amount, merchant_reference, bank_code, bank_name, account_number, account_name,
    narration, created_at, metadata, case when reserved then 'sending' else 'refused' end,
    case when reserved then clock_timestamp() end, case when reserved then clock_timestamp() end
  from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::timestamptz[], $12::boolean[], $13::jsonb[]) as r (reference, merchant_id, mode, amount, merchant_reference, bank_code,
    bank_name, account_number, account_name, narration, created_at, reserved, metadata)
  order by reference
  on conflict do nothing`);

/** From this step only the transfer's status is queried: the bank may have been called in the time that was lost. */
const markSending = statement(`
  update transfers set step = 'sending', sent_at = clock_timestamp(), attempts = 0, next_at = clock_timestamp(), held_for = null,
    approval = case approval when 'required' then 'lost' else approval end
  where step = $1 and (step = 'reserved' or reference = any($2::text[]))`);
const refuse = statement(
  "update transfers set step = 'refused', next_at = null where reference = any($1::text[]) and step = $2",
);

/**
 * Restores the transfers that the ledger knows and this database has lost, each at the step from which only its status
 * is queried. Returns the ids of reserved transfers that cannot be restored, because an older release reserved them
 * without their order.
 */
export async function restoreTransfers(pool: Pool, reserves: Reserve[]): Promise<string[]> {
  const rows = reserves.flatMap(({ transfer_id, merchant, amount, reserved, order }) =>
    order ? [{ transfer_id, amount, reserved, merchant_id: merchant.id, mode: merchant.mode, ...orderOf(order) }] : [],
  );
  const fields = [
    "transfer_id",
    "merchant_id",
    "mode",
    "amount",
    "merchant_reference",
    "bank_code",
    "bank_name",
  ] as const;
  const others = ["account_number", "account_name", "narration", "created_at", "reserved", "metadata"] as const;
  const ids = (decided: boolean) => reserves.filter(({ reserved }) => reserved === decided).map((r) => r.transfer_id);
  // A refused transfer leaves its reference free for the next attempt, which may be one of the lost transfers.
  await refuse(pool, [ids(false), "created"]);
  await insertLost(pool, columns(rows, ...fields, ...others));
  await markSending(pool, ["created", ids(true)]);
  const known = new Set((await readTransfers(pool, ids(true))).map(({ reference }) => reference));
  return ids(true).filter((id) => !known.has(id));
}

const orderOf = ({ metadata, ...order }: NonNullable<Reserve["order"]>) => ({
  ...order,
  metadata: metadata ? JSON.stringify(metadata) : null,
});

export async function markReservedAsSending(pool: Pool): Promise<void> {
  await markSending(pool, ["reserved", []]);
}

const forgetUnknown = statement(
  "update transfers set unknown_since = null where step = $1 and unknown_since is not null",
);

/** In the time that was lost the bank may have said that it has them. */
export async function forgetWhatWasUnknown(pool: Pool): Promise<void> {
  await forgetUnknown(pool, ["sending"]);
}
