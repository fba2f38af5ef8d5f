import type { MerchantScope } from "@collect/contracts";
import { type Pool, statement, transaction } from "@collect/database";
import { lockBatches } from "./transfer-batches.ts";

const HOUR = "clock_timestamp() - interval '60 minutes'";

const forget = statement(`
  delete from transfer_batch_uploads where merchant_id = $1 and mode = $2 and uploaded_at <= ${HOUR}`);

/** Until the oldest of the last $3 uploads is an hour old; no row if there are fewer. */
const spent = statement<{ seconds: number }>(`
  select greatest(ceil(extract(epoch from uploaded_at - (${HOUR}))), 1)::integer as seconds from transfer_batch_uploads
  where merchant_id = $1 and mode = $2 and uploaded_at > ${HOUR} order by uploaded_at desc offset $3 - 1 limit 1`);

const insert = statement("insert into transfer_batch_uploads (merchant_id, mode) values ($1, $2)");

/**
 * Counts an upload before its file is parsed. Beyond so many in any 60 minutes it is not counted, and the seconds until one more is
 * allowed are returned. Those of one merchant queue on a lock, so the count is exact.
 */
export function recordUpload(
  pool: Pool,
  merchant: MerchantScope,
  { perHour }: { perHour: number },
): Promise<number | undefined> {
  const scope = [merchant.id, merchant.mode];
  return transaction(pool, async (tx) => {
    await lockBatches(tx, merchant);
    await forget(tx, scope);
    const [full] = await spent(tx, [...scope, perHour]);
    if (!full) await insert(tx, scope);
    return full?.seconds;
  });
}
