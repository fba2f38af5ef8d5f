import type { IssuedAccount, Metadata, Mode } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";

type Row = {
  id: string;
  merchant_id: string;
  mode: Mode;
  customer_reference: string | null;
  customer_name: string | null;
  position: number | null;
  account_number: string;
  account_name: string;
  bank_name: string;
  issue_request_id: string;
  status: "active" | "retired";
  created_at: string;
  retired_at: string | null;
  metadata: Metadata;
  partner: string | null;
};

const uncopied = statement<Row>(`
  (select id, merchant_id, mode, customer_reference, customer_name, null::integer as position, account_number, account_name,
      bank_name, issue_request_id, status, created_at, retired_at, metadata, partner
    from customer_accounts where copied_at is null and account_number is not null order by id limit $1)
  union all
  (select id, merchant_id, mode, null, null, position, account_number, account_name, bank_name, issue_request_id, status,
      created_at, null, '{}', partner
    from collection_accounts where copied_at is null and account_number is not null order by id limit $1)`);

/** Accounts of which payments has no copy or an outdated one. */
export async function uncopiedAccounts(pool: Pool, limit: number): Promise<IssuedAccount[]> {
  const rows = await uncopied(pool, [limit]);
  return rows.map(({ merchant_id, mode, customer_reference, customer_name, ...row }) => ({
    ...row,
    merchant: { id: merchant_id, mode },
    customer: customer_reference === null ? null : { reference: customer_reference, name: customer_name ?? "" },
  }));
}

// An account that was retired or erased meanwhile is copied again.
const markCustomers = statement(`
  update customer_accounts a set copied_at = clock_timestamp()
  from unnest($1::text[], $2::text[], $3::text[]) as c (id, status, account_name)
  where a.id = c.id and a.status = c.status and a.account_name = c.account_name`);
const markCollections = statement(
  "update collection_accounts set copied_at = clock_timestamp() where id = any($1::text[])",
);

export async function markCopied(pool: Pool, accounts: IssuedAccount[]): Promise<void> {
  await markCustomers(pool, columns(accounts, "id", "status", "account_name"));
  await markCollections(pool, columns(accounts, "id"));
}

// One that was claimed before the restore point and opened after it has the number that the customer was given: the next call would
// otherwise open another. The trigger copies it to payments again.
const activatePending = (table: string) =>
  statement(`
  update ${table} a set account_number = c.account_number, account_name = c.account_name, bank_name = c.bank_name,
    partner = c.partner, status = 'active'
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as c (id, account_number, account_name, bank_name, partner)
  where a.id = c.id and a.status = 'pending'`);
const activatePendingCustomers = activatePending("customer_accounts");
const activatePendingCollections = activatePending("collection_accounts");

const insertCustomers = statement(`
  insert into customer_accounts (id, merchant_id, mode, customer_reference, customer_name, account_number, account_name,
    bank_name, issue_request_id, status, created_at, partner, retired_at, metadata, copied_at)
  select c.*, now() from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::timestamptz[], $12::text[], $13::timestamptz[], $14::jsonb[]) as c (id)
  order by c.id
  on conflict do nothing`);
const restoreRetired = statement(`
  update customer_accounts a set status = 'retired', retired_at = c.retired_at
  from unnest($1::text[], $2::timestamptz[]) as c (id, retired_at) where a.id = c.id and a.status = 'active'`);
const insertCollections = statement(`
  insert into collection_accounts (id, merchant_id, mode, position, account_number, account_name, bank_name, issue_request_id,
    status, created_at, partner, copied_at)
  select c.*, now() from unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::timestamptz[], $11::text[]) as c (id)
  order by c.id
  on conflict do nothing`);

const ISSUED = ["id", "account_number", "account_name", "bank_name", "partner"] as const;

/** Restores the accounts that this database has lost, the numbers of those without one, and what was retired since. */
export async function restoreAccounts(pool: Pool, accounts: IssuedAccount[]): Promise<void> {
  const rows = accounts.map((account) => ({
    ...account,
    ...{ merchantId: account.merchant.id, mode: account.merchant.mode },
    ...{ reference: account.customer?.reference ?? null, name: account.customer?.name ?? null },
    metadata: JSON.stringify(account.metadata ?? {}),
    partner: account.partner ?? null,
  }));
  const customers = rows.filter(({ customer }) => customer !== null);
  const fields = [
    ...([
      "account_number",
      "account_name",
      "bank_name",
      "issue_request_id",
      "status",
      "created_at",
      "partner",
    ] as const),
  ];
  await activatePendingCustomers(pool, columns(customers, ...ISSUED));
  await insertCustomers(
    pool,
    columns(customers, "id", "merchantId", "mode", "reference", "name", ...fields, "retired_at", "metadata"),
  );
  const retired = customers.filter(({ status }) => status === "retired");
  await restoreRetired(pool, columns(retired, "id", "retired_at"));
  const own = rows.filter(({ position }) => position !== null);
  await activatePendingCollections(pool, columns(own, ...ISSUED));
  await insertCollections(pool, columns(own, "id", "merchantId", "mode", "position", ...fields));
}
