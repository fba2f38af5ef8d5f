import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@collect/servers";

/**
 * Test servers need no durability: they are deleted at the end. Tables are analyzed when a test says so: a plan must not depend on
 * whether autovacuum was faster.
 */
const SETTINGS = {
  ...{ fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
  ...{ max_connections: "300", autovacuum: "off" },
};

/**
 * One PostgreSQL for a vitest run: the server at TEST_DATABASE_URL, a container (TEST_CONTAINERS=true), or otherwise
 * the embedded one. Test files clone their databases in it.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.TEST_DATABASE_URL) return async () => {};
  if (process.env.TEST_CONTAINERS === "true") return startContainer();
  const directory = await mkdtemp(join(tmpdir(), "collect-postgres-"));
  const postgres = await startPostgres({ directory, port: 0, settings: SETTINGS });
  process.env.TEST_DATABASE_URL = postgres.url;
  return async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
}

async function startContainer(): Promise<() => Promise<void>> {
  const { GenericContainer, Wait } = await import("testcontainers");
  const container = await new GenericContainer("postgres:18")
    .withEnvironment({ POSTGRES_PASSWORD: "test" })
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
    .start();
  process.env.TEST_DATABASE_URL = `postgres://postgres:test@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
  return async () => void (await container.stop());
}
