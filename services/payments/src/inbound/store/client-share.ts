import type { MerchantScope } from "@collect/contracts";
import { statement, type Transaction } from "@collect/database";

/** The unpaid slots that a client holds without a secret key. A paid session no longer counts, nor one whose slot was released. */

const lock = statement<{ locked: string }>(
  "select pg_advisory_xact_lock(hashtextextended('slots of ' || $1 || $2 || $3, 0))::text as locked",
);

/** Until the end of the transaction this client takes no other slot of the merchant, so that the next statement counts exactly. */
export async function lockShare(tx: Transaction, { id, mode }: MerchantScope, client: string): Promise<void> {
  await lock(tx, [id, mode, client]);
}

/**
 * Whether the client may take one more slot of a price; the arguments are parameters of the statement. Prices a few kobo apart
 * have slots in common: everything is counted that shares a price with a slot of this one, so that no choice of prices gives a
 * client more than its share of any.
 */
export const hasShare = (given: { client: string; merchantId: string; mode: string; amount: string; max: string }) => `
  ${given.client}::text is null or (
    select count(*) from sessions s
    where s.client = ${given.client} and s.merchant_id = ${given.merchantId} and s.mode = ${given.mode} and s.slot_held
      and s.amount between ${given.amount} - 97 and ${given.amount} + 197 and s.watch_until > time_of(s.merchant_id, s.mode)
      and s.status not in ('paid', 'overpaid', 'paid_late')
  ) < ${given.max}`;
