import { join } from "node:path";
import { endChild, freePort, startChild, untilReady } from "@collect/servers";
import { SEEDS } from "@collect/testing";
import { jetstreamManager, StorageType } from "@nats-io/jetstream";
import { connect, nkeyAuthenticator } from "nats";
import pg from "pg";
import { STAGES, STREAM } from "./stage.ts";

/**
 * The minimal path: the same hops, commits and HTTP endpoints as ours, four processes, one table each,
 * and no rules. Nothing is checked, matched, numbered or retried. It shows which share of our cost is not the product's.
 */
export async function startBareChain(options: {
  directory: string;
  databaseUrl: string;
  natsUrl: string;
  hookUrl: string;
}): Promise<{ door: { url: string; secret: string }; stop(): Promise<void> }> {
  await prepare(options);
  const port = await freePort();
  const secret = "the bare chain's bank door";
  const env = {
    ...process.env,
    DATABASE_URL: options.databaseUrl,
    NATS_URL: options.natsUrl,
    NATS_NKEY_SEED: SEEDS.administrator,
    HOOK_URL: options.hookUrl,
    DOOR_PORT: String(port),
    DOOR_SECRET: secret,
  };
  const children = await Promise.all(
    Object.keys(STAGES).map(async (stage) => {
      const logFile = join(options.directory, `chain-${stage}.log`);
      const args = [join(import.meta.dirname, `${stage}.ts`)];
      const child = await startChild({ command: process.execPath, args, env, logFile, stopSignal: "SIGTERM" });
      await untilReady(`the bare chain's ${stage}`, child, async () => child.output().includes("ready"));
      return child;
    }),
  );
  return {
    door: { url: `http://127.0.0.1:${port}`, secret },
    stop: async () => void (await Promise.all(children.map((child) => endChild(child, "SIGTERM", "SIGKILL")))),
  };
}

async function prepare({ databaseUrl, natsUrl }: { databaseUrl: string; natsUrl: string }): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const stage of Object.keys(STAGES))
    await client.query(`create table ${stage} (id text primary key, merchant text, amount bigint, body text)`);
  await client.end();
  const authenticator = nkeyAuthenticator(new TextEncoder().encode(SEEDS.administrator));
  const nats = await connect({ servers: natsUrl, authenticator });
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name: STREAM, subjects: ["pipe.>"], storage: StorageType.File });
  await nats.close();
}
