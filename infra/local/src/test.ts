import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNats, startPostgres } from "@collect/servers";
import { ROOT } from "./settings.ts";

/**
 * npm test: every test, on one PostgreSQL server started for the run, on a free port, or on an existing one (TEST_DATABASE_URL,
 * else DATABASE_URL). Tests start brokers of their own, with the generated users. Arguments after `npm test --` go to turbo.
 */

/** Deleted at the end, so durability does not matter. Tests analyze tables themselves where a plan depends on it. */
const SETTINGS = {
  ...{ fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
  ...{ max_connections: "400", autovacuum: "off" },
};

const directory = await mkdtemp(join(tmpdir(), "collect-test-"));
const postgres =
  process.env.TEST_DATABASE_URL ??
  process.env.DATABASE_URL ??
  (await startPostgres({ directory: join(directory, "postgres"), port: 0, settings: SETTINGS }));
// Fetched once here if the machine has none, and not by several test files at once.
await findNats();
console.log("✓ PostgreSQL for the tests is running");

const turbo = spawn(
  join(ROOT, "node_modules/.bin/turbo"),
  ["run", "test", "--concurrency=2", "--continue", ...process.argv.slice(2)],
  {
    cwd: ROOT,
    stdio: "inherit",
    env: {
      ...process.env,
      TURBO_TELEMETRY_DISABLED: "1",
      TEST_DATABASE_URL: typeof postgres === "string" ? postgres : postgres.url,
    },
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => turbo.kill(signal));
process.on("disconnect", () => turbo.kill("SIGTERM"));
const [code] = await once(turbo, "exit");

if (typeof postgres !== "string") await postgres.stop();
await rm(directory, { recursive: true, force: true });
process.exit(code ?? 1);
