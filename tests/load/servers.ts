import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@collect/runtime";
import { startPostgres } from "@collect/servers";
import { startBroker } from "@collect/testing";

/** PostgreSQL's defaults, including fsync; enough connections for the baseline that uses the most. */
export const POSTGRES_SETTINGS: Record<string, string> = { max_connections: "200" };

/** Starts servers for one measurement, in a directory that is deleted afterwards. */
export async function withServers<Result>(
  work: (servers: { directory: string; databaseUrl: string; natsUrl: string }) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "collect-bench-"));
  const closing: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  try {
    const postgres = await startPostgres({
      directory: join(directory, "postgres"),
      port: 0,
      settings: POSTGRES_SETTINGS,
    });
    closing.push(() => postgres.stop());
    const nats = await startBroker({
      directory: join(directory, "nats"),
      port: 0,
      log: createLogger("bench", "silent"),
    });
    closing.push(() => nats.kill());
    return await work({ directory, databaseUrl: postgres.url, natsUrl: nats.url });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}
