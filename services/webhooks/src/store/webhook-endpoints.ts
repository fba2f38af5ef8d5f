import type { MerchantScope } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";

export type Endpoint = {
  url: string | null;
  secret: string;
  staged_secret: string | null;
  activates_at: string | null;
};

/**
 * The active secrets of the endpoints row with this alias: a staged one is the secret from its activation time on, by the
 * database's clock, whether or not that has been stored.
 */
export const secretsOf = (endpoint: string) => `
  case when ${endpoint}.activates_at <= now() then ${endpoint}.staged_secret else ${endpoint}.secret end as secret,
  case when ${endpoint}.activates_at > now() then ${endpoint}.staged_secret end as staged_secret`;

const SHOWN = (endpoint: string) => `${endpoint}.url, ${secretsOf(endpoint)},
  case when ${endpoint}.activates_at > now() then ${endpoint}.activates_at end as activates_at`;

/** The secret is created once and kept; the version counts changes of the URL. */
const upsert = statement<Endpoint>(`
  insert into endpoints as e (merchant_id, mode, url, secret) values ($1, $2, $3, $4)
  on conflict (merchant_id, mode) do update set
    url = excluded.url,
    version = e.version + (e.url is distinct from excluded.url)::integer,
    updated_at = case when e.url is distinct from excluded.url then clock_timestamp() else e.updated_at end
  returning ${SHOWN("e")}`);

export async function setEndpoint(
  pool: Pool,
  { merchant, url, secret }: { merchant: MerchantScope; url: string | null; secret: string },
): Promise<Endpoint | undefined> {
  const [endpoint] = await upsert(pool, [merchant.id, merchant.mode, url, secret]);
  return endpoint;
}

const select = statement<Endpoint>(`select ${SHOWN("e")} from endpoints e where merchant_id = $1 and mode = $2`);

export async function findEndpoint(pool: Pool, merchant: MerchantScope): Promise<Endpoint | undefined> {
  const [endpoint] = await select(pool, [merchant.id, merchant.mode]);
  return endpoint;
}
