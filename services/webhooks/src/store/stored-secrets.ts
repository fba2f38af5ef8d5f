import type { Mode } from "@collect/contracts";
import { columns, statement, type Transaction } from "@collect/database";

/** The secrets of an endpoint, as they are stored. */
export type StoredSecrets = { merchant_id: string; mode: Mode; secret: string; staged_secret: string | null };

const select = statement<StoredSecrets>(`
  select merchant_id, mode, secret, staged_secret from endpoints
  where (merchant_id, mode) > ($1, $2) order by merchant_id, mode limit $3 for update`);

/** The next rows in key order, locked, so that a concurrent rotation of a secret comes before or after. */
export const lockStoredSecrets = (
  tx: Transaction,
  { after, limit }: { after: readonly [string, string]; limit: number },
): Promise<StoredSecrets[]> => select(tx, [...after, limit]);

const update = statement(`
  update endpoints e set secret = given.secret, staged_secret = given.staged_secret
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as given (merchant_id, mode, secret, staged_secret)
  where (e.merchant_id, e.mode) = (given.merchant_id, given.mode)`);

export async function storeSecrets(tx: Transaction, rows: StoredSecrets[]): Promise<void> {
  await update(tx, columns(rows, "merchant_id", "mode", "secret", "staged_secret"));
}
