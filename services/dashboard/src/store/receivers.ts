import { randomBytes } from "node:crypto";
import { type Pool, statement } from "@collect/database";

/** The test receivers, each with the newest of what it received. */

export type Behavior = "ok" | "error" | "timeout";
export type Receiver = { merchant_id: string; token: string; behavior: Behavior };
export type Received = {
  id: string;
  received_at: string;
  webhook_id: string | null;
  headers: Record<string, string>;
  body: string;
  fault: string | null;
  answered: number | null;
  seen_before: number;
};

/** How much one of them keeps. */
export const RECEIVED_MAX = 50;

const COLUMNS = "merchant_id, token, behavior";
const find = statement<Receiver>(`select ${COLUMNS} from test_receivers where merchant_id = $1`);
const byToken = statement<Receiver>(`select ${COLUMNS} from test_receivers where token = $1`);
const insert = statement(
  "insert into test_receivers (merchant_id, token) values ($1, $2) on conflict (merchant_id) do nothing",
);
const change = statement<Receiver>(
  `update test_receivers set behavior = $2 where merchant_id = $1 returning ${COLUMNS}`,
);

export async function findReceiver(pool: Pool, merchantId: string): Promise<Receiver | undefined> {
  const [receiver] = await find(pool, [merchantId]);
  return receiver;
}

export async function findReceiverAt(pool: Pool, token: string): Promise<Receiver | undefined> {
  const [receiver] = await byToken(pool, [token]);
  return receiver;
}

/** The merchant's receiver, whose address is made the first time; of two calls at once, the same. */
export async function ensureReceiver(pool: Pool, merchantId: string): Promise<Receiver> {
  await insert(pool, [merchantId, randomBytes(32).toString("base64url")]);
  const receiver = await findReceiver(pool, merchantId);
  if (!receiver) throw new Error("the receiver was not stored");
  return receiver;
}

export async function setReceiverBehavior(pool: Pool, merchantId: string, behavior: Behavior) {
  const [receiver] = await change(pool, [merchantId, behavior]);
  return receiver;
}

// The newest that were there before it, less one, stay. Of several at once each makes room for itself, so that a few more may be
// there until the next comes.
const store = statement(`
  with kept as (
    insert into received_webhooks (merchant_id, webhook_id, headers, body, fault, answered) values ($1, $2, $3, $4, $5, $6)
  )
  delete from received_webhooks where merchant_id = $1 and id <= (
    select id from received_webhooks where merchant_id = $1 order by id desc offset ${RECEIVED_MAX - 1} limit 1)`);

type ToStore = Pick<Received, "webhook_id" | "headers" | "body" | "fault" | "answered">;

export async function storeReceived(pool: Pool, merchantId: string, received: ToStore): Promise<void> {
  const { webhook_id, headers, body, fault, answered } = received;
  await store(pool, [merchantId, webhook_id, JSON.stringify(headers), body, fault, answered]);
}

const list = statement<Received>(`
  select id::text, received_at, webhook_id, headers, body, fault, answered,
    case when webhook_id is null then 0 else count(*) over (partition by webhook_id order by id) - 1 end::int as seen_before
  from received_webhooks where merchant_id = $1 order by received_webhooks.id desc limit ${RECEIVED_MAX}`);

/** The newest first. */
export const listReceived = (pool: Pool, merchantId: string): Promise<Received[]> => list(pool, [merchantId]);
