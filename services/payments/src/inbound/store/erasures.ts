import { ERASED, ERASED_MAX, type Erasure, type Person } from "@collect/contracts";
import { statement, type Transaction } from "@collect/database";
import type { PaymentSession } from "../domain/session.ts";
import { keptSince } from "./kept-copies.ts";
import { SESSION_COLUMNS } from "./sessions.ts";

/** Replaces a person's data. Everything that says what was paid, and by which references, stays. */

const keep = statement(`
  insert into erasure_copies (id, copy) values ($1, $2)
  on conflict (id) do update set copy = excluded.copy, kept_at = clock_timestamp()`);
export const keepErasure = (tx: Transaction, erasure: Erasure) => keep(tx, [erasure.id, JSON.stringify(erasure)]);

export const erasuresSince = keptSince<Erasure>("erasure_copies");

const record = statement(`
  insert into erased_collections (erasure_id, intake_id) select $1, intake_id from unnest($2::text[]) as t (intake_id)
  order by intake_id on conflict do nothing`);

/** All that is erased has one payer for each merchant and mode: what a transfer that is redriven afterwards says too. */
const insertErasedPayer = statement(`
  insert into payers (merchant_id, mode, bank_name, account_number, name) values ($1, $2, '', '', '${ERASED}')
  on conflict (merchant_id, mode, bank_name, account_number, name) do nothing`);

/** The payers that the collections had. */
const eraseCollectionRows = statement<{ payer_id: bigint; payment_reference: string | null }>(`
  with before as (
    select intake_id, payer_id, payment_reference from collections where intake_id = any($1::text[]) order by intake_id for update
  ),
  erased as (
    update collections c set payer_id = (
        select id from payers
        where (merchant_id, mode, bank_name, account_number, name) = ($2, $3, '', '', '${ERASED}')),
      customer_name = case when c.customer_name is not null and ($4 = 'customer' or c.customer_reference is null)
        then '${ERASED}' else c.customer_name end,
      metadata = case when c.metadata is not null and ($4 = 'customer' or c.customer_reference is null) then '{}' else c.metadata end,
      source = case when c.source is not null then jsonb_set(c.source, '{narration}', 'null') end
    from before where c.intake_id = before.intake_id
  )
  select distinct payer_id, payment_reference from before`);

const deletePayers = statement(`
  delete from payers p where p.id = any($1::bigint[]) and (p.bank_name, p.account_number, p.name) <> ('', '', '${ERASED}')
    and not exists (select from collections c where c.payer_id = p.id)`);

/** The accounts from which the collections were paid. A merchant that pays them has their names for that, too. */
const ACCOUNTS = `
  select distinct p.account_number from collections c join payers p on p.id = c.payer_id
  where c.intake_id = any($1::text[]) and p.account_number <> ''`;
const deleteBeneficiaries = statement(
  `delete from beneficiaries where merchant_id = $2 and mode = $3 and account_number in (${ACCOUNTS})`,
);
const eraseLines = statement(`
  update transfer_batch_lines set account_name = '${ERASED}'
  where merchant_id = $2 and mode = $3 and account_number in (${ACCOUNTS}) and account_name is not null`);

export type ErasedTransfers = { erasure: Erasure; intakeIds: string[] };

/** Returns the sessions that the collections paid. */
export async function eraseCollections(tx: Transaction, { erasure, intakeIds }: ErasedTransfers): Promise<string[]> {
  const { id, mode } = erasure.merchant;
  await record(tx, [erasure.id, intakeIds]);
  await insertErasedPayer(tx, [id, mode]);
  await deleteBeneficiaries(tx, [intakeIds, id, mode]);
  await eraseLines(tx, [intakeIds, id, mode]);
  const rows = await eraseCollectionRows(tx, [intakeIds, id, mode, erasure.kind]);
  await deletePayers(tx, [[...new Set(rows.map(({ payer_id }) => payer_id))]]);
  return [...new Set(rows.flatMap(({ payment_reference }) => payment_reference ?? []))];
}

/** The version rises with the change, so that no copy with the data can replace one without. */
const eraseRows = statement(`
  update sessions s set version = s.version + 1, payer_name = null, payer_email = null, description = null, redirect_url = null,
    customer_name = case when s.customer_name is not null and ($2 = 'customer' or s.customer_reference is null)
      then '${ERASED}' else s.customer_name end,
    metadata = case when $2 = 'customer' or s.customer_reference is null then '{}' else s.metadata end,
    account_name = case when s.is_customer_account and $2 = 'customer' and s.account_name is not null
      then '${ERASED}' else s.account_name end
  where s.reference = any(array(select reference from sessions where reference = any($1::text[]) order by reference for update))
    and (s.payer_name is not null or s.description is not null or s.redirect_url is not null
      or ((s.customer_name <> '${ERASED}' or s.metadata <> '{}') and ($2 = 'customer' or s.customer_reference is null))
      or (s.is_customer_account and $2 = 'customer' and s.account_name <> '${ERASED}'))`);
const readRows = statement<PaymentSession>(
  `select ${SESSION_COLUMNS} from sessions s where s.reference = any($1::text[]) order by s.reference`,
);

/** Returns all of them, erased now or before: their copies may be older. */
export async function eraseSessions(
  tx: Transaction,
  references: string[],
  kind: Person["kind"],
): Promise<PaymentSession[]> {
  await eraseRows(tx, [references, kind]);
  return readRows(tx, [references]);
}

const ofCustomer = statement<{ reference: string }>(`
  select reference from sessions where customer_reference = $3 and merchant_id = $1 and mode = $2 and reference > $4
  order by reference limit ${ERASED_MAX}`);
const ofPayer = statement<{ reference: string }>(`
  select reference from sessions where reference = $3 and merchant_id = $1 and mode = $2 and reference > $4`);

/** A page of the person's own sessions. */
export async function ownSessions(tx: Transaction, { kind, merchant, reference }: Person, after: string) {
  const rows = await { customer: ofCustomer, payer: ofPayer }[kind](tx, [merchant.id, merchant.mode, reference, after]);
  return rows.map((row) => row.reference);
}
