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
  ...{ max_connections: "400", autovacuum: "off" },
};

export type TestPostgres = { what: string; url: string; stop(): Promise<void> };

/** PostgreSQL for tests: the server at TEST_DATABASE_URL, a container where an engine answers, otherwise the embedded one. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { what: "the server at TEST_DATABASE_URL", url, stop: async () => {} };
  const started = await startContainer();
  return "url" in started ? started : startEmbedded(started.whyNot);
}

async function startEmbedded(whyNot: string): Promise<TestPostgres> {
  const directory = await mkdtemp(join(tmpdir(), "collect-postgres-"));
  const { url, stop } = await startPostgres({ directory, port: 0, settings: SETTINGS });
  return {
    what: `embedded, because ${whyNot}`,
    url,
    async stop() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const IMAGE = process.env.POSTGRES_IMAGE ?? "postgres:18";

/** An engine that answers and cannot run the image is reported, and done without. */
async function startContainer(): Promise<TestPostgres | { whyNot: string }> {
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import("testcontainers");
  const answers = await getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
  if (!answers) return { whyNot: "no container engine answers" };
  try {
    const container = await new GenericContainer(IMAGE)
      .withEnvironment({ POSTGRES_PASSWORD: "test" })
      .withCommand(["postgres", ...Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`])])
      .withTmpFs({ "/tmp": "rw" })
      .withExposedPorts(5432)
      .withWaitStrategy(Wait.forListeningPorts())
      .start();
    const url = `postgres://postgres:test@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
    return { what: `a container of ${IMAGE}`, url, stop: async () => void (await container.stop()) };
  } catch (error) {
    process.stderr.write(`! no container of ${IMAGE}: ${error instanceof Error ? error.message : error}\n`);
    return { whyNot: `the engine cannot run ${IMAGE}` };
  }
}
