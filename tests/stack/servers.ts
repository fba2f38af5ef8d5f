import { rm } from "node:fs/promises";
import { join } from "node:path";
import { SERVICES } from "@collect/contracts";
import { migrate, provision } from "@collect/database";
import { startNats, startPostgres } from "@collect/servers";
import { steadyPort } from "./port.ts";
import { ROOT } from "./service.ts";

/** A server that comes back at the same address with the same data. */
export type Postgres = {
  /** As the user `postgres`. */
  url: string;
  /** Does nothing while it runs. */
  start(): Promise<void>;
  /** In good order, or at once as if the power went. */
  stop(options?: { immediate?: boolean }): Promise<void>;
};

/** Thrown away at the end, so it may lose what a power cut of the machine would take, but nothing that its own end would. */
const SETTINGS = { fsync: "off", full_page_writes: "off", max_connections: "200" };

export async function openPostgres(directory: string, settings: Record<string, string> = SETTINGS): Promise<Postgres> {
  const options = { directory: join(directory, "postgres"), port: await steadyPort(), settings };
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

/** One database for each service, migrated by its owner, open to nobody but its service. One by one: Prisma's engine is one. */
export async function makeDatabases(url: string): Promise<void> {
  for (const service of SERVICES) {
    const { owner } = await provision(url, service);
    await migrate({ url: owner, directory: join(ROOT, "services", service, "prisma") });
  }
}

export type Nats = {
  url: string;
  /** Killed and started again at once, with its store or without. */
  restart(options?: { wiped?: boolean }): Promise<void>;
  kill(): Promise<void>;
  pid(): number;
};

export async function openNats(directory: string): Promise<Nats> {
  const options = { directory: join(directory, "nats"), port: await steadyPort() };
  let server = await startNats(options);
  return {
    url: server.url,
    async restart({ wiped } = {}) {
      await server.kill();
      if (wiped) await rm(server.store, { recursive: true, force: true });
      server = await startNats(options);
    },
    kill: () => server.kill(),
    pid: () => server.pid,
  };
}
