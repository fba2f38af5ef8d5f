import { query, type Session } from "@collect/database";
import { isHeldBy } from "./inbound-transfers.ts";

export type Owner = {
  merchant_id: string;
  account_name: string;
  customer_reference: string | null;
  customer_name: string | null;
  is_retired: boolean;
};

const read = query<Owner>(`
  select coalesce(a.merchant_id, own.merchant_id) as merchant_id, coalesce(a.account_name, own.account_name) as account_name,
    a.customer_reference, a.customer_name, coalesce(a.status = 'retired', false) as is_retired
  from (select $1::text as bank, $2::text as account_number) i
  left join customer_accounts a on a.mode = 'live' and a.account_number = i.account_number and ${isHeldBy("i", "a", "$3")}
  left join collection_accounts own on own.mode = 'live' and own.account_number = i.account_number and ${isHeldBy("i", "own", "$3")}
  where coalesce(a.merchant_id, own.merchant_id) is not null`);

/** Who owns a live account, found as for a transfer that arrives: `own` is the bank of the accounts that are stored without a partner. */
export async function readOwner(
  tx: Session,
  { bank, account_number }: { bank: string; account_number: string },
  own: string | null,
): Promise<Owner | undefined> {
  const [owner] = await read(tx, [bank, account_number, own]);
  return owner;
}
