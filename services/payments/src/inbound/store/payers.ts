import type { collectionPosted, Fact } from "@collect/contracts";
import { columns, type Session, statement } from "@collect/database";

const PAYERS = `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
    as p (merchant_id, mode, bank_name, account_number, name, position)`;

/** A repeat of a collection whose payer was erased since does not bring the payer back. */
const claim = statement(`
  insert into payers (merchant_id, mode, bank_name, account_number, name)
  select distinct merchant_id, mode, bank_name, account_number, name from ${PAYERS}
  where not exists (select from collections c where c.intake_id = ($6::text[])[p.position])
  order by merchant_id, mode, bank_name, account_number, name
  on conflict (merchant_id, mode, bank_name, account_number, name) do nothing`);

const read = statement<{ id: bigint | null }>(`
  select known.id from ${PAYERS} left join payers known using (merchant_id, mode, bank_name, account_number, name) order by p.position`);

/**
 * The payer id of each collection, in order; a payer is inserted with its first collection. 0 stands for the payer of a
 * recorded collection that has another by now, and is not stored.
 */
export async function claimPayers(tx: Session, posted: Fact<typeof collectionPosted>[]): Promise<bigint[]> {
  const payers = posted.map(({ merchant, payer }) => ({
    merchantId: merchant.id,
    mode: merchant.mode,
    bankName: payer.bankName ?? "",
    accountNumber: payer.accountNumber ?? "",
    name: payer.name,
  }));
  const keys = columns(payers, "merchantId", "mode", "bankName", "accountNumber", "name");
  // Most have paid before.
  const known = await read(tx, keys);
  if (!known.some(({ id }) => id === null)) return idsOf(known);
  await claim(tx, [...keys, posted.map(({ intakeId }) => intakeId)]);
  return idsOf(await read(tx, keys));
}

const idsOf = (rows: { id: bigint | null }[]) => rows.map(({ id }) => id ?? 0n);
