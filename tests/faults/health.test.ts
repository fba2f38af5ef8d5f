import { SERVICES } from "@collect/contracts";
import { freePort, openWire } from "@collect/servers";
import { declaredMetrics } from "@collect/telemetry";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { type ProcessName, startStack } from "../stack.ts";
import { openTraffic } from "./traffic.ts";

const PROCESSES = [...SERVICES, "bank-simulator"] as const;
const ports = new Map<ProcessName, number>();
for (const name of PROCESSES) ports.set(name, await freePort());
const env = Object.fromEntries([...ports].map(([name, port]) => [name, { INTERNAL_PORT: String(port) }]));
const stack = await startStack({ env });
afterAll(() => stack.stop());
const [first, second] = [ports.get("payments") ?? 0, await freePort()];

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

const wire = await openWire(stack.databaseUrl("payments"));
afterAll(() => wire.close());
/** Reaches its database through the wire, until it is restarted. */
const replica = await stack
  .service("payments")
  .addReplica({ env: { INTERNAL_PORT: String(second), DATABASE_URL: wire.url } });

const metricsOf = async (name: ProcessName) => (await probe(ports.get(name) ?? 0, "/metrics"))?.text ?? "";
const namesIn = (text: string) => [...text.matchAll(/^# TYPE (collect_\w+) /gm)].map(([, name = ""]) => name);

/** Of partners that open accounts ahead or are asked about what they settled, of accounts whose statements come, and of a restore: none is here. */
const OF_WHAT_IS_NOT_HERE = [
  "collect_pooled_accounts",
  "collect_recovery_seconds",
  "collect_settled_unknown_transfers",
  "collect_statement_age_seconds",
];

test("while money flows the processes show every documented metric and no other, without a name of the flow", async () => {
  const traffic = await openTraffic(stack);
  await traffic.flow(20);
  const declared = declaredMetrics()
    .map(({ name }) => name)
    .filter((name) => !OF_WHAT_IS_NOT_HERE.includes(name));
  const scrape = async () => (await Promise.all(PROCESSES.map(metricsOf))).join("");
  const missing = async () => {
    const shown = new Set(namesIn(await scrape()));
    return declared.filter((name) => !shown.has(name));
  };
  await expect.poll(missing, { timeout: 30_000, interval: 500 }).toEqual([]);
  let text = "";
  const failed = async () => {
    text = await scrape();
    return text.match(/^collect_(check|measurement)_ok\{.*\} 0$/gm);
  };
  await expect.poll(failed).toBeNull();
  expect(namesIn(text).filter((name) => !declared.includes(name))).toEqual([]);
  for (const { merchant, accountNumber } of traffic.customers) {
    expect(text).not.toContain(merchant.id);
    expect(text).not.toContain(accountNumber);
  }

  const shows = (name: ProcessName) => expect.poll(() => metricsOf(name));
  await shows("webhooks").toMatch(
    /^collect_webhook_attempt_duration_seconds_count\{mode="(live|test)",outcome="delivered"\} \d+$/m,
  );
  await shows("webhooks").toContain('collect_check_ok{check="database"} 1');
  await shows("webhooks").toContain('collect_measurement_ok{measurement="deliveries"} 1');
  await shows("ledger").toMatch(
    /^collect_consumer_batch_facts_sum\{durable="ledger-accounts_transfer_received_v1-\w+"\} \d+$/m,
  );
});

test("a replica that has lost its database says so, and goes on answering its callers itself", async () => {
  await untilReady(second);
  await expect
    .poll(() => checksOf(second))
    .toEqual({
      process: { status: "ok", since: expect.any(String) },
      database: { status: "ok", since: expect.any(String) },
      migrations: { status: "ok", since: expect.any(String) },
      bus: { status: "ok", since: expect.any(String) },
    });

  wire.silenceNew(true);
  wire.silence();
  await until("it says so", async () => (await checksOf(second)).database.status === "failed");
  expect(await checksOf(second)).toMatchObject({
    database: { status: "failed", reason: "no answer in time" },
    bus: { status: "ok" },
  });
  expect([await statusOf(second, "/livez"), await statusOf(second, "/readyz")]).toEqual([200, 200]);
  expect((await probe(second, "/metrics"))?.text).toContain('collect_check_ok{check="database"} 0');

  wire.silenceNew(false);
  await until("it says so", async () => (await checksOf(second)).database.status === "ok");
});

test("without the broker every process stays in rotation and says so, and the bank is answered 200", async () => {
  const traffic = await openTraffic(stack);
  const checked = PROCESSES.filter((name) => name !== "bank-simulator").map((name) => ports.get(name) ?? 0);
  const busOf = (port: number) => checksOf(port).then((checks) => checks.bus.status);
  process.kill(stack.natsPid(), "SIGKILL");
  for (const port of checked) await until("it says so", async () => (await busOf(port)) === "failed");
  await traffic.flow(20);
  expect(await Promise.all(checked.map((port) => statusOf(port, "/readyz")))).toEqual(checked.map(() => 200));
  const refused = await fetch(`${stack.baseUrl}/payments`, { headers: { Authorization: "Bearer unknown" } });
  expect(refused.headers.get("Content-Type")).toContain("application/problem+json");

  await stack.restartNats();
  for (const port of checked) await until("it says so", async () => (await busOf(port)) === "ok");
});

test("a replica that hangs answers no probe, and is ready again once it goes on or is restarted", async () => {
  process.kill(replica.pid(), "SIGSTOP");
  expect(await Promise.all(["/livez", "/readyz"].map((path) => statusOf(second, path)))).toEqual([
    undefined,
    undefined,
  ]);
  await expect.poll(() => statusOf(first, "/readyz")).toBe(200);
  process.kill(replica.pid(), "SIGCONT");
  await untilReady(second);

  process.kill(replica.pid(), "SIGSTOP");
  await replica.kill9();
  await replica.restart({ env: { DATABASE_URL: stack.databaseUrl("payments") } });
  await untilReady(second);
});

test("a process starts once its database has its migrations, and does beside a later release's", async () => {
  const owner = stack.database("payments");
  const { rows } = await owner.query("select max(migration_name) as name from _prisma_migrations");
  const apply = (finished: string, name: string) =>
    owner.query(`update _prisma_migrations set finished_at = ${finished} where migration_name = $1`, [name]);
  await apply("null", rows[0].name);
  const restarted = replica.restart();
  const reasonOf = async () => (await checksOf(second).catch(() => undefined))?.migrations?.reason;
  await until("it waits for it", async () => (await reasonOf())?.includes("run the migrate job") ?? false);
  expect(await checksOf(second)).toMatchObject({
    process: { status: "failed", reason: "starting" },
    migrations: { status: "failed", reason: `${rows[0].name} is not applied: run the migrate job` },
  });
  expect([await statusOf(second, "/livez"), await statusOf(second, "/readyz")]).toEqual([200, 503]);
  await apply("now()", rows[0].name);
  await restarted;
  await untilReady(second);
  await owner.query(`insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
    values ('later', '', '29991231000000_later', now(), 1)`);
  await replica.restart();
  await untilReady(second);
});

test("the internal port has nothing else, and only GET", async () => {
  expect(await statusOf(first, "/v1/payments")).toBe(404);
  expect((await probe(first, "/readyz", "POST"))?.status).toBe(405);
});
