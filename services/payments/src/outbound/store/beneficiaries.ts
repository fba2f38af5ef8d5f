import type { Actor, MerchantScope } from "@collect/contracts";
import { type Session, statement } from "@collect/database";

export type BeneficiaryRow = {
  bank_code: string;
  account_number: string;
  bank_name: string;
  account_name: string;
  saved_at: string;
};
const COLUMNS = "bank_code, account_number, bank_name, account_name, saved_at";

const list = statement<BeneficiaryRow>(`
  select ${COLUMNS} from beneficiaries where merchant_id = $1 and mode = $2
  order by lower(account_name), bank_code, account_number limit $3`);
export const listSaved = (session: Session, { id, mode }: MerchantScope, max: number) => list(session, [id, mode, max]);

const insert = statement(`
  insert into beneficiaries (merchant_id, mode, bank_code, account_number, bank_name, account_name, saved_by)
  select $1, $2, $3, $4, $5, $6, $7 where (select count(*) from beneficiaries where merchant_id = $1 and mode = $2) < $8
  on conflict do nothing`);
const find = statement<BeneficiaryRow>(`
  select ${COLUMNS} from beneficiaries where merchant_id = $1 and mode = $2 and bank_code = $3 and account_number = $4`);

/** The one that is stored, now or before; undefined if there are too many. */
export async function insertBeneficiary(
  session: Session,
  { id, mode }: MerchantScope,
  account: { bankCode: string; accountNumber: string; bankName: string; accountName: string },
  { by, max }: { by: Actor; max: number },
): Promise<BeneficiaryRow | undefined> {
  const { bankCode, accountNumber, bankName, accountName } = account;
  await insert(session, [id, mode, bankCode, accountNumber, bankName, accountName, JSON.stringify(by), max]);
  return (await find(session, [id, mode, bankCode, accountNumber]))[0];
}

const remove = statement(
  "delete from beneficiaries where merchant_id = $1 and mode = $2 and bank_code = $3 and account_number = $4",
);
export const deleteBeneficiary = async (
  session: Session,
  { id, mode }: MerchantScope,
  account: { bank_code: string; account_number: string },
) => void (await remove(session, [id, mode, account.bank_code, account.account_number]));
