import type { listTransferReserves, WireResult } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";
import { BEGINNING, type Place } from "../../domain/place.ts";
import type { Transfer } from "../domain/transfer.ts";
import { TRANSFER_COLUMNS } from "./transfers.ts";

/** What other services learn of transfers after a restore, and what payments learns of them. */

const touched = statement<Transfer & { at: string }>(`
  select ${TRANSFER_COLUMNS}, to_char(t.touched_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as at
  from transfers t
  where t.touched_at >= $1 and (t.touched_at, t.reference) > ($2::timestamptz, $3)
  order by t.touched_at, t.reference limit $4`);

/** Transfers that changed since then, in the order in which they last did. */
export function touchedTransfers(pool: Pool, given: { since: string; after: Place | null; limit: number }) {
  const { at, key } = given.after ?? BEGINNING;
  return touched(pool, [given.since, at, key, given.limit]);
}

const byReference = statement<Transfer>(
  `select ${TRANSFER_COLUMNS} from transfers t where reference = any($1::text[])`,
);
export const readTransfers = (pool: Pool, references: string[]): Promise<Transfer[]> => byReference(pool, [references]);

const oldest = statement<{ at: string | null }>(
  // A minute early: the ledger decided by a clock of its own.
  "select least($1::timestamptz, min(created_at) - interval '1 minute') as at from transfers where step in ('created', 'reserved')",
);
/** What was decided about transfers since then may be unknown here: that of every one that was not sent yet, too. */
export async function unsureSince(pool: Pool, restoredTo: string): Promise<string> {
  const [row] = await oldest(pool, [restoredTo]);
  return row?.at ?? restoredTo;
}

type Reserve = WireResult<typeof listTransferReserves>["rows"][number];

const learn = statement(`
  insert into transfers (reference, merchant_id, mode, amount, merchant_reference, bank_code, bank_name, account_number,
    account_name, narration, created_at, step, sent_at, next_at)
  select reference, merchant_id, mode, amount, merchant_reference, bank_code, bank_name, account_number, account_name,
    narration, created_at, case when reserved then 'sending' else 'refused' end,
    case when reserved then clock_timestamp() end, case when reserved then clock_timestamp() end
  from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::timestamptz[], $12::boolean[]) as r (reference, merchant_id, mode, amount, merchant_reference, bank_code,
    bank_name, account_number, account_name, narration, created_at, reserved)
  order by reference
  on conflict do nothing`);

/** From here on the bank is only asked: it may have been called by what was lost. */
const suspect = statement(`
  update transfers set step = 'sending', sent_at = clock_timestamp(), attempts = 0, next_at = clock_timestamp()
  where step = $1 and (step = 'reserved' or reference = any($2::text[]))`);
const refuse = statement(
  "update transfers set step = 'refused', next_at = null where reference = any($1::text[]) and step = $2",
);

/**
 * Transfers that the ledger knows and this database has lost, each at the step from which it can only be asked about. Gives the
 * ids of those with money that cannot be named, because an older release reserved them without their order.
 */
export async function learnTransfers(pool: Pool, reserves: Reserve[]): Promise<string[]> {
  const rows = reserves.flatMap(({ transfer_id, merchant, amount, reserved, order }) =>
    order ? [{ transfer_id, amount, reserved, merchant_id: merchant.id, mode: merchant.mode, ...order }] : [],
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
  const others = ["account_number", "account_name", "narration", "created_at", "reserved"] as const;
  const ids = (decided: boolean) => reserves.filter(({ reserved }) => reserved === decided).map((r) => r.transfer_id);
  // A refusal leaves its reference to the next try, which may be one of the lost.
  await refuse(pool, [ids(false), "created"]);
  await learn(pool, columns(rows, ...fields, ...others));
  await suspect(pool, ["created", ids(true)]);
  const known = new Set((await readTransfers(pool, ids(true))).map(({ reference }) => reference));
  return ids(true).filter((id) => !known.has(id));
}

export async function suspectReserved(pool: Pool): Promise<void> {
  await suspect(pool, ["reserved", []]);
}
