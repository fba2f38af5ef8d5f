import type { MerchantScope } from "@collect/contracts";
import { type Pool, type Session, statement } from "@collect/database";
import { probeNow } from "./holds.ts";

export type Endpoint = {
  url: string | null;
  secret: string;
  staged_secret: string | null;
  activates_at: string | null;
  /** A URL that has not answered its challenge, and its last one. */
  unconfirmed_url: string | null;
  challenged_at: string | null;
  challenge_error: string | null;
};

/**
 * The active secrets of the endpoints row with this alias: a staged one is the secret from its activation time on, by the
 * database's clock, whether or not that has been stored.
 */
export const secretsOf = (endpoint: string) => `
  case when ${endpoint}.activates_at <= now() then ${endpoint}.staged_secret else ${endpoint}.secret end as secret,
  case when ${endpoint}.activates_at > now() then ${endpoint}.staged_secret end as staged_secret`;

const lastChallenge = (endpoint: string, column: string) => `(select ${column} from challenges c
    where (c.merchant_id, c.mode, c.url) = (${endpoint}.merchant_id, ${endpoint}.mode, ${endpoint}.unconfirmed_url)
    order by c.sent_at desc, c.id desc limit 1)`;

const SHOWN = (endpoint: string) => `${endpoint}.url, ${secretsOf(endpoint)},
  case when ${endpoint}.activates_at > now() then ${endpoint}.activates_at end as activates_at, ${endpoint}.unconfirmed_url,
  ${lastChallenge(endpoint, "c.sent_at")} as challenged_at, ${lastChallenge(endpoint, "c.error")} as challenge_error`;

/**
 * The secret is created once and kept; the version counts changes of the URL. An unconfirmed URL is given up for the one that
 * is set. A held endpoint is probed at once; without a URL a pause ends, and what waits for it.
 */
const upsert = statement<Endpoint>(`
  with stored as (
    insert into endpoints as e (merchant_id, mode, url, secret) values ($1, $2, $3, $4)
    on conflict (merchant_id, mode) do update set
      url = excluded.url,
      unconfirmed_url = null,
      version = e.version + (e.url is distinct from excluded.url)::integer,
      updated_at = case when e.url is distinct from excluded.url then clock_timestamp() else e.updated_at end
    returning e.merchant_id, e.mode, ${SHOWN("e")}
  ),
  hurried as (${probeNow("stored")}),
  unpaused as (
    update holds h set state = 'held', batch_size = 1, next_batch_at = now(), lost_change_at = null from stored s
    where (h.merchant_id, h.mode) = (s.merchant_id, s.mode) and h.state = 'paused' and s.url is null
  )
  select url, secret, staged_secret, activates_at, unconfirmed_url, challenged_at, challenge_error from stored`);

export async function setEndpoint(
  pool: Pool,
  { merchant, url, secret }: { merchant: MerchantScope; url: string | null; secret: string },
): Promise<Endpoint | undefined> {
  const [endpoint] = await upsert(pool, [merchant.id, merchant.mode, url, secret]);
  return endpoint;
}

const create = statement(`
  insert into endpoints (merchant_id, mode, secret) values ($1, $2, $3) on conflict (merchant_id, mode) do nothing`);

/** Creates the endpoint without a URL; one that exists stays as it is. */
export const createEndpoint = async (pool: Pool, merchant: MerchantScope, secret: string): Promise<void> =>
  void (await create(pool, [merchant.id, merchant.mode, secret]));

const select = statement<Endpoint>(`select ${SHOWN("e")} from endpoints e where merchant_id = $1 and mode = $2`);

export async function findEndpoint(pool: Pool, merchant: MerchantScope): Promise<Endpoint | undefined> {
  const [endpoint] = await select(pool, [merchant.id, merchant.mode]);
  return endpoint;
}

/** Stores a URL that is to be confirmed. Events go on to the present one. */
const propose = statement(`
  insert into endpoints as e (merchant_id, mode, secret, unconfirmed_url) values ($1, $2, $3, $4)
  on conflict (merchant_id, mode) do update set unconfirmed_url = excluded.unconfirmed_url`);

export async function proposeUrl(
  tx: Session,
  { merchant, url, secret }: { merchant: MerchantScope; url: string; secret: string },
): Promise<void> {
  await propose(tx, [merchant.id, merchant.mode, secret, url]);
}

/** The URL has answered: events go there from now on, unless another one has been set in the meantime. */
const confirm = statement(`
  with confirmed as (
    update endpoints set url = unconfirmed_url, unconfirmed_url = null, version = version + 1, updated_at = clock_timestamp()
    where merchant_id = $1 and mode = $2 and unconfirmed_url = $3 returning merchant_id, mode
  )
  ${probeNow("confirmed")}`);

export const confirmUrl = async (pool: Pool, merchant: MerchantScope, url: string) =>
  void (await confirm(pool, [merchant.id, merchant.mode, url]));
