import { columns, statement, type Transaction } from "@collect/database";

/** A user's second factor, as it is stored. */
export type StoredTwoFactor = { user_id: string; secret: string; backup_codes: string };

const select = statement<StoredTwoFactor>(`
  select user_id, secret, backup_codes from two_factors where user_id > $1 order by user_id limit $2 for update`);

/** The next rows in key order, locked, so that a code that is used up meanwhile comes before or after. */
export const lockTwoFactors = (tx: Transaction, { after, limit }: { after: string; limit: number }) =>
  select(tx, [after, limit]);

const update = statement(`
  update two_factors t set secret = given.secret, backup_codes = given.backup_codes
  from unnest($1::text[], $2::text[], $3::text[]) as given (user_id, secret, backup_codes) where t.user_id = given.user_id`);

export async function storeTwoFactors(tx: Transaction, rows: StoredTwoFactor[]): Promise<void> {
  await update(tx, columns(rows, "user_id", "secret", "backup_codes"));
}
