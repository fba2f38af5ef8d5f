import type { MerchantScope } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { probeNow } from "./holds.ts";

/** Each operation is one statement on one row, by the database's clock: a concurrent caller sees the result of the first. */

/** How long a staged secret waits for the merchant before it becomes active automatically. */
const ACTIVATES_AFTER = "24 hours";

/** A previously staged secret that has become active automatically is stored as the secret first. */
const stage = statement<{ staged_secret: string; activates_at: string }>(`
  update endpoints set
    secret = case when activates_at <= now() then staged_secret else secret end,
    staged_secret = case when activates_at > now() then staged_secret else $3 end,
    activates_at = case when activates_at > now() then activates_at else now() + interval '${ACTIVATES_AFTER}' end
  where merchant_id = $1 and mode = $2
  returning staged_secret, activates_at`);

/** The staged secret and its activation time: an already staged one is kept instead of this. Undefined without an endpoint. */
export async function stageSecret(pool: Pool, merchant: MerchantScope, secret: string) {
  const [staged] = await stage(pool, [merchant.id, merchant.mode, secret]);
  return staged;
}

const activate = statement<{ secret: string }>(`
  with activated as (
    update endpoints set secret = staged_secret, staged_secret = null, activates_at = null
    where merchant_id = $1 and mode = $2 and activates_at > now()
    returning merchant_id, mode, secret
  ),
  hurried as (${probeNow("activated")})
  select secret from activated`);

/** The secret that is now active; undefined when none was staged, or it was already active. */
export async function activateSecret(pool: Pool, merchant: MerchantScope): Promise<string | undefined> {
  const [activated] = await activate(pool, [merchant.id, merchant.mode]);
  return activated?.secret;
}

const cancel = statement<{ mode: string }>(`
  update endpoints set staged_secret = null, activates_at = null
  where merchant_id = $1 and mode = $2 and activates_at > now()
  returning mode`);

/** Whether a staged secret was discarded. One that has already become active stays. */
export async function cancelStagedSecret(pool: Pool, merchant: MerchantScope): Promise<boolean> {
  return (await cancel(pool, [merchant.id, merchant.mode])).length > 0;
}
