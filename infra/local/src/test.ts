import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNats, startPostgres } from "@collect/servers";
import { ROOT } from "./settings.ts";

/**
 * npm test: every test, on one PostgreSQL and one NATS server started for the run, on free ports, or on existing servers
 * (TEST_DATABASE_URL, TEST_NATS_URL, else DATABASE_URL, NATS_URL). Arguments after `npm test --` go to turbo.
 */

/** Deleted at the end, so durability does not matter. */
const SETTINGS = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "400" };

const directory = await mkdtemp(join(tmpdir(), "collect-test-"));
const postgres =
  process.env.TEST_DATABASE_URL ??
  process.env.DATABASE_URL ??
  (await startPostgres({ directory: join(directory, "postgres"), port: 0, settings: SETTINGS }));
const nats =
  process.env.TEST_NATS_URL ??
  process.env.NATS_URL ??
  (await startNats({ directory: join(directory, "nats"), port: 0 }));
const urlOf = (server: string | { url: string }) => (typeof server === "string" ? server : server.url);
console.log("✓ PostgreSQL and NATS for the tests are running");

const turbo = spawn(
  join(ROOT, "node_modules/.bin/turbo"),
  ["run", "test", "--concurrency=2", "--continue", ...process.argv.slice(2)],
  {
    cwd: ROOT,
    stdio: "inherit",
    env: {
      ...process.env,
      TURBO_TELEMETRY_DISABLED: "1",
      TEST_DATABASE_URL: urlOf(postgres),
      TEST_NATS_URL: urlOf(nats),
    },
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => turbo.kill(signal));
process.on("disconnect", () => turbo.kill("SIGTERM"));
const [code] = await once(turbo, "exit");

for (const server of [nats, postgres]) if (typeof server !== "string") await server.stop();
await rm(directory, { recursive: true, force: true });
process.exit(code ?? 1);
