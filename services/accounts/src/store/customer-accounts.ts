import type { MerchantScope, Metadata, Mode } from "@collect/contracts";
import { type Session, statement } from "@collect/database";
import { COUNT_INSERTED } from "./account-creations.ts";

export type AccountRow = {
  id: string;
  mode: Mode;
  customer_reference: string;
  customer_name: string;
  account_number: string | null;
  account_name: string;
  bank_name: string;
  issue_request_id: string;
  status: "pending" | "active" | "retired";
  metadata: Metadata;
  created_at: string;
};
/** What the partner issued. The name is what payers see, as the bank shortened it. */
export type IssuedAt = { accountNumber: string; accountName: string; bankName: string; partner: string };
export type NewAccount = Omit<AccountRow, "created_at" | "status"> & { merchantId: string };

const COLUMNS =
  "id, mode, customer_reference, customer_name, account_number, account_name, bank_name, issue_request_id, status, metadata, created_at";

const find = statement<AccountRow>(
  `select ${COLUMNS} from customer_accounts where merchant_id = $1 and mode = $2 and customer_reference = $3`,
);
export async function findAccount(
  tx: Session,
  merchant: MerchantScope,
  customerReference: string,
): Promise<AccountRow | undefined> {
  const [account] = await find(tx, [merchant.id, merchant.mode, customerReference]);
  return account;
}

const findNumbers = statement<{ customer_reference: string; account_number: string }>(`
  select customer_reference, account_number from customer_accounts
  where merchant_id = $1 and mode = $2 and customer_reference = any($3::text[]) and account_number is not null`);
/** The account numbers of these customers, by reference; customers without one are omitted. */
export async function findAccountNumbers(
  tx: Session,
  merchant: MerchantScope,
  customerReferences: string[],
): Promise<Map<string, string>> {
  const rows = await findNumbers(tx, [merchant.id, merchant.mode, customerReferences]);
  return new Map(rows.map(({ customer_reference, account_number }) => [customer_reference, account_number]));
}

const findRetired = statement(
  "select from customer_accounts where mode = $1 and account_number = $2 and status = 'retired'",
);
export async function isRetired(tx: Session, mode: Mode, accountNumber: string): Promise<boolean> {
  const retired = await findRetired(tx, [mode, accountNumber]);
  return retired.length > 0;
}

const findOwn = statement<{ status: AccountRow["status"] }>(`
  select status from customer_accounts where mode = $2 and account_number = $3 and merchant_id = $1
  union all
  select status from collection_accounts where mode = $2 and account_number = $3 and merchant_id = $1`);
/** The status of the merchant's account with this number: a customer's, or one of its collection accounts. */
export async function statusOfAccount(
  tx: Session,
  merchant: MerchantScope,
  accountNumber: string,
): Promise<AccountRow["status"] | undefined> {
  const [account] = await findOwn(tx, [merchant.id, merchant.mode, accountNumber]);
  return account?.status;
}

/**
 * Claims the customer reference; undefined when it, or the account number, is taken. With an account number the account is
 * active immediately. No index is named: a concurrent duplicate also has the same id and may be met there first, which
 * raises an error unless every index may decide.
 */
const INSERT = `
  insert into customer_accounts
    (id, merchant_id, mode, customer_reference, customer_name, account_number, account_name, bank_name, issue_request_id, metadata,
    status, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, case when $6::text is null then 'pending' else 'active' end, time_of($2, $3))
  on conflict do nothing
  returning ${COLUMNS}`;
const insert = statement<AccountRow>(INSERT);
export async function insertAccount(tx: Session, account: NewAccount): Promise<AccountRow | undefined> {
  const [inserted] = await insert(tx, valuesOf(account));
  return inserted;
}

/**
 * The same, and counts it. In one statement: with several, the merchant's count would be locked until the client commits, and
 * every other replica would wait for that client.
 */
const insertAndCount = statement<AccountRow>(
  `with inserted as (${INSERT}, merchant_id), counted as (${COUNT_INSERTED}) select ${COLUMNS} from inserted`,
);
export async function insertCountedAccount(tx: Session, account: NewAccount): Promise<AccountRow | undefined> {
  const [inserted] = await insertAndCount(tx, valuesOf(account));
  return inserted;
}

function valuesOf(account: NewAccount): unknown[] {
  const {
    id,
    merchantId,
    mode,
    customer_reference,
    customer_name,
    account_number,
    account_name,
    bank_name,
    issue_request_id,
    metadata,
  } = account;
  return [
    id,
    merchantId,
    mode,
    customer_reference,
    customer_name,
    account_number,
    account_name,
    bank_name,
    issue_request_id,
    metadata,
  ];
}

/** Activates the account as its partner issued it, once. Undefined for a concurrent second call. */
const activate = statement<AccountRow>(`
  update customer_accounts set account_number = $2, account_name = $3, bank_name = $4, partner = $5, status = 'active'
  where id = $1 and status = 'pending' returning ${COLUMNS}`);
export async function activateAccount(tx: Session, id: string, issued: IssuedAt): Promise<AccountRow | undefined> {
  const { accountNumber, accountName, bankName, partner } = issued;
  const [activated] = await activate(tx, [id, accountNumber, accountName, bankName, partner]);
  return activated;
}

const retire = statement<AccountRow>(`
  update customer_accounts set status = 'retired', retired_at = coalesce(retired_at, time_of(merchant_id, mode))
  where merchant_id = $1 and mode = $2 and customer_reference = $3 and status <> 'pending' returning ${COLUMNS}`);
export async function retireAccount(
  tx: Session,
  merchant: MerchantScope,
  customerReference: string,
): Promise<AccountRow | undefined> {
  const [retired] = await retire(tx, [merchant.id, merchant.mode, customerReference]);
  return retired;
}
