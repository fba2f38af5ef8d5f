import { openWire } from "@collect/servers";
import { until } from "@collect/testing";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { steadyPort } from "../stack/port.ts";
import { startStack } from "../stack.ts";

const [first, second] = [await steadyPort(), await steadyPort()];
const stack = await startStack({ env: { payments: { INTERNAL_PORT: String(first) } } });
afterAll(() => stack.stop());

/** As long as a supervisor's probe waits, and longer than a check takes. */
const PROBE_WITHIN_MS = 3_000;

async function probe(port: number, path: string, method = "GET") {
  const url = `http://127.0.0.1:${port}${path}`;
  const response = await fetch(url, { method, signal: AbortSignal.timeout(PROBE_WITHIN_MS) }).catch(() => undefined);
  return response && { status: response.status, text: await response.text() };
}
const statusOf = async (port: number, path: string) => (await probe(port, path))?.status;
const checksOf = async (port: number) => JSON.parse((await probe(port, "/readyz"))?.text ?? "{}").checks;
const untilReady = (port: number) => until("it is ready", async () => (await statusOf(port, "/readyz")) === 200);

const replica = await stack.service("payments").addReplica({ env: { INTERNAL_PORT: String(second) } });

test("a replica that has lost its database is not ready, but live, and the other one stays ready", async () => {
  const wire = await openWire(stack.databaseUrl("payments"));
  onTestFinished(() => wire.close());
  await replica.restart({ env: { INTERNAL_PORT: String(second), DATABASE_URL: wire.url } });
  await untilReady(second);
  expect(await checksOf(second)).toEqual({
    process: { status: "ok", since: expect.any(String) },
    database: { status: "ok", since: expect.any(String) },
    migrations: { status: "ok", since: expect.any(String) },
    bus: { status: "ok", since: expect.any(String) },
  });

  wire.silenceNew(true);
  wire.silence();
  await until("it is not ready", async () => (await statusOf(second, "/readyz")) === 503);
  expect(await checksOf(second)).toMatchObject({
    database: { status: "failed", reason: "no answer in time" },
    bus: { status: "ok" },
  });
  expect([await statusOf(second, "/livez"), await statusOf(first, "/readyz")]).toEqual([200, 200]);

  wire.silenceNew(false);
  await untilReady(second);
  await replica.restart({ env: { INTERNAL_PORT: String(second) } });
  await untilReady(second);
});

test("a replica that hangs answers no probe, and is ready again once it goes on or is restarted", async () => {
  process.kill(replica.pid(), "SIGSTOP");
  expect([await statusOf(second, "/livez"), await statusOf(second, "/readyz")]).toEqual([undefined, undefined]);
  expect(await statusOf(first, "/readyz")).toBe(200);
  process.kill(replica.pid(), "SIGCONT");
  await untilReady(second);

  process.kill(replica.pid(), "SIGSTOP");
  await replica.kill9();
  await replica.restart({ env: { INTERNAL_PORT: String(second) } });
  await untilReady(second);
});

test("a process is not ready while its database lacks a migration, and is beside a later release's", async () => {
  const owner = stack.database("payments");
  const { rows } = await owner.query("select max(migration_name) as name from _prisma_migrations");
  const apply = (finished: string, name: string) =>
    owner.query(`update _prisma_migrations set finished_at = ${finished} where migration_name = $1`, [name]);
  await apply("null", rows[0].name);
  await until("it is not ready", async () => (await statusOf(first, "/readyz")) === 503);
  expect((await checksOf(first)).migrations).toMatchObject({
    status: "failed",
    reason: `${rows[0].name} is not applied: run the migrate job`,
  });
  await apply("now()", rows[0].name);
  await owner.query(`insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
    values ('later', '', '29991231000000_later', now(), 1)`);
  await untilReady(first);
});

test("the internal port has nothing else, and only GET", async () => {
  expect(await statusOf(first, "/v1/payments")).toBe(404);
  expect((await probe(first, "/readyz", "POST"))?.status).toBe(405);
});
