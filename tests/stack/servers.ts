import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createLogger } from "@collect/runtime";
import { freePort, startNats, startPostgres } from "@collect/servers";
import { startBroker, TEST_USERS } from "@collect/testing";
import { copyTemplate, UNSAFE } from "./template.ts";

/** A server that restarts at the same address with the same data. */
export type Postgres = {
  /** Connects as the user `postgres`. */
  url: string;
  /** Does nothing if it is running. */
  start(): Promise<void>;
  /** Gracefully, or immediately as in a power failure. */
  stop(options?: { immediate?: boolean }): Promise<void>;
};

type Settings = { settings?: Record<string, string>; tree: string };

/** Has the databases of all services, with the migrations of a checkout. */
export async function openPostgres(directory: string, { settings = UNSAFE, tree }: Settings): Promise<Postgres> {
  await copyTemplate(join(directory, "postgres"), tree);
  return reopenPostgres(directory, settings);
}

/** Starts the server whose data is in the directory already. */
export async function reopenPostgres(directory: string, settings: Record<string, string>): Promise<Postgres> {
  const options = { directory: join(directory, "postgres"), port: await freePort(), settings };
  let isRunning = false;
  const start = async () => {
    const started = await startPostgres(options);
    isRunning = true;
    void started.exited.then(() => {
      isRunning = false;
    });
    return started;
  };
  let server = await start();
  return {
    url: server.url,
    async start() {
      if (!isRunning) server = await start();
    },
    stop: (how) => server.stop(how),
  };
}

export type Nats = {
  url: string;
  /** On how many servers its streams are. */
  replicas: number;
  /** Kills and immediately restarts it, with or without its store. */
  restart(options?: { wiped?: boolean }): Promise<void>;
  kill(): Promise<void>;
  pid(): number;
};

export async function openNats(directory: string): Promise<Nats> {
  const options = { directory: join(directory, "nats"), port: await freePort() };
  let server = await startBroker({ ...options, log: createLogger("tests", "silent") });
  return {
    url: server.url,
    replicas: 1,
    async restart({ wiped } = {}) {
      await server.kill();
      if (wiped) await rm(server.store, { recursive: true, force: true });
      server = await startNats({ ...options, users: TEST_USERS });
    },
    kill: () => server.kill(),
    pid: () => server.pid,
  };
}
