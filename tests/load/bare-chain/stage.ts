import { AckPolicy, type JsMsg, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, nkeyAuthenticator } from "nats";
import pg from "pg";

/** The message: the bank's own report, parsed only for the columns of the tables. */
export type Report = { id: string; account_number: string; amount: number };

export const STREAM = "PIPE";
/** Each stage has a table and publishes to the subject that its successor consumes. */
export const STAGES = { accounts: "pipe.a", ledger: "pipe.b", payments: "pipe.c", webhooks: null } as const;
export type Stage = keyof typeof STAGES;

const BATCH_MAX = 300;

export async function open(stage: Stage) {
  const { DATABASE_URL, NATS_URL, NATS_NKEY_SEED } = process.env;
  const authenticator = nkeyAuthenticator(new TextEncoder().encode(NATS_NKEY_SEED));
  const nats = await connect({ servers: NATS_URL, authenticator });
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 2 });
  const text = `insert into ${stage} (id, merchant, amount, body)
    select * from unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) on conflict do nothing`;
  return {
    js: jetstream(nats),
    manager: await jetstreamManager(nats),
    /** One commit for the batch. */
    insert(reports: Report[], bodies: string[]): Promise<unknown> {
      const columns = [
        reports.map(({ id }) => id),
        reports.map(({ account_number }) => account_number),
        reports.map(({ amount }) => Math.round(amount * 100)),
      ];
      return pool.query({ name: "insert", text, values: [...columns, bodies] });
    },
  };
}

/** Takes the items received while the last batch committed, and repeats until none is waiting. */
export function batches<Item>(handle: (batch: Item[]) => Promise<void>): (item: Item) => void {
  const waiting: Item[] = [];
  let busy = false;
  async function drain(): Promise<void> {
    while (waiting.length > 0) await handle(waiting.splice(0, BATCH_MAX));
    busy = false;
  }
  return (item) => {
    waiting.push(item);
    if (busy) return;
    busy = true;
    setImmediate(drain);
  };
}

/** A consumer in the middle or at the end of the chain: one commit, one publish, one acknowledgment. */
export async function follow(
  stage: Exclude<Stage, "accounts">,
  from: string,
  after?: (bodies: string[]) => Promise<void>,
): Promise<void> {
  const { js, manager, insert } = await open(stage);
  const to = STAGES[stage];
  await manager.consumers.add(STREAM, {
    durable_name: stage,
    ack_policy: AckPolicy.Explicit,
    filter_subject: from,
    max_ack_pending: 5_000,
    ack_wait: 30e9,
  });
  const consumer = await js.consumers.get(STREAM, stage);
  const offer = batches<JsMsg>(async (messages) => {
    const bodies = messages.map((message) => message.string());
    await insert(
      messages.map((message) => message.json<Report>()),
      bodies,
    );
    if (to) await Promise.all(messages.map((message) => js.publish(to, message.data)));
    for (const message of messages) message.ack();
    await after?.(bodies);
  });
  await consumer.consume({ max_messages: 1_000, callback: offer });
  console.log("ready");
}
