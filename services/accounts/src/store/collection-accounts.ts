import type { MerchantScope, Mode } from "@collect/contracts";
import { type Session, statement } from "@collect/database";
import type { IssuedAt } from "./customer-accounts.ts";

export type CollectionAccountRow = {
  id: string;
  position: number;
  account_number: string | null;
  account_name: string;
  bank_name: string;
  issue_request_id: string;
};
export type NewCollectionAccount = CollectionAccountRow & { merchantId: string; mode: Mode };

const COLUMNS = "id, position, account_number, account_name, bank_name, issue_request_id";

const find = statement<CollectionAccountRow>(
  `select ${COLUMNS} from collection_accounts where merchant_id = $1 and mode = $2 and position = $3`,
);
export async function findCollectionAccount(
  tx: Session,
  merchant: MerchantScope,
  position: number,
): Promise<CollectionAccountRow | undefined> {
  const [account] = await find(tx, [merchant.id, merchant.mode, position]);
  return account;
}

/** Claims the position; undefined when it, or the account number, is taken. As for customer accounts, every index may decide. */
const insert = statement<CollectionAccountRow>(`
  insert into collection_accounts (id, merchant_id, mode, position, account_number, account_name, bank_name, issue_request_id, status)
  values ($1, $2, $3, $4, $5, $6, $7, $8, case when $5::text is null then 'pending' else 'active' end)
  on conflict do nothing
  returning ${COLUMNS}`);
export async function insertCollectionAccount(
  tx: Session,
  account: NewCollectionAccount,
): Promise<CollectionAccountRow | undefined> {
  const { id, merchantId, mode, position, account_number, account_name, bank_name, issue_request_id } = account;
  const values = [id, merchantId, mode, position, account_number, account_name, bank_name, issue_request_id];
  const [inserted] = await insert(tx, values);
  return inserted;
}

/** Activates the account as its partner issued it, once. Undefined for a concurrent second call. */
const activate = statement<CollectionAccountRow>(`
  update collection_accounts set account_number = $2, account_name = $3, bank_name = $4, partner = $5, status = 'active'
  where id = $1 and status = 'pending' returning ${COLUMNS}`);
export async function activateCollectionAccount(
  tx: Session,
  id: string,
  { accountNumber, accountName, bankName, partner }: IssuedAt,
): Promise<CollectionAccountRow | undefined> {
  const [activated] = await activate(tx, [id, accountNumber, accountName, bankName, partner]);
  return activated;
}
