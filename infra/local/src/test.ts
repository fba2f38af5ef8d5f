import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { findNats } from "@collect/servers";
import { startTestPostgres } from "@collect/testing/postgres";
import { ROOT } from "./settings.ts";

/**
 * npm test: every test, on one PostgreSQL server: an existing one (TEST_DATABASE_URL, else DATABASE_URL), a container where an
 * engine answers, or the embedded one. Tests of whole stacks start servers of their own, and brokers with the generated users.
 * Arguments after `npm test --` go to turbo.
 */
if (process.env.DATABASE_URL) process.env.TEST_DATABASE_URL ??= process.env.DATABASE_URL;
const postgres = await startTestPostgres();
// Fetched once here if the machine has none, and not by several test files at once.
await findNats();
console.log(`✓ PostgreSQL for the tests is running: ${postgres.what}`);

const turbo = spawn(
  join(ROOT, "node_modules/.bin/turbo"),
  ["run", "test", "--concurrency=2", "--continue", ...process.argv.slice(2)],
  {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TEST_DATABASE_URL: postgres.url },
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => turbo.kill(signal));
process.on("disconnect", () => turbo.kill("SIGTERM"));
const [code] = await once(turbo, "exit");

await postgres.stop();
process.exit(code ?? 1);
