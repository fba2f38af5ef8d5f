import { readFile } from "node:fs/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { metricsDocument } from "../src/documents.ts";
import {
  createMeasuring,
  declaredMetrics,
  httpRequestDuration,
  intakeOldestAge,
  intakeUnfinished,
  readMetrics,
  watchPool,
} from "../src/index.ts";

const lines = async (start: string) => (await readMetrics()).text.split("\n").filter((line) => line.startsWith(start));

beforeEach(() => {
  httpRequestDuration.reset();
  intakeUnfinished.reset();
});

test("docs/metrics.md is up to date", async () => {
  const path = new URL("../../../docs/metrics.md", import.meta.url);
  expect(await readFile(path, "utf8"), "run npm run document").toBe(metricsDocument());
});

test("names follow Prometheus: our prefix, base units, and a total for what only grows", () => {
  for (const { name, type, help, labels } of declaredMetrics()) {
    expect(name).toMatch(/^collect_[a-z]+(_[a-z]+)+$/);
    expect(name.endsWith("_total")).toBe(type === "counter");
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|kobo)$/);
    expect(help).toMatch(/\.$/);
    expect(labels.join()).not.toMatch(/merchant|reference|account|url|(^|,)id/);
  }
});

test("a metric that this process has no samples of is absent", async () => {
  expect(await lines("# TYPE collect_http_request")).toEqual([]);
  httpRequestDuration.observe({ method: "GET", route: "/v1/payments", status: "2xx" }, 0.3);
  expect(await lines("# TYPE collect_http_request")).toEqual([
    "# TYPE collect_http_request_duration_seconds histogram",
  ]);
  expect(await lines("collect_http_request_duration_seconds_count")).toEqual([
    'collect_http_request_duration_seconds_count{method="GET",route="/v1/payments",status="2xx"} 1',
  ]);
});

test("an observation takes a few microseconds, in a process with many series", () => {
  for (let route = 0; route < 100; route++)
    httpRequestDuration.observe({ method: "GET", route: `/${route}`, status: "2xx" }, 0.3);
  const rounds = 20_000;
  const began = process.cpuUsage();
  for (let round = 0; round < rounds; round++)
    httpRequestDuration.observe({ method: "GET", route: `/${round % 100}`, status: "2xx" }, 0.3);
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / rounds).toBeLessThan(10);
});

test("the use of a pool is shown until it has ended", async () => {
  const pool = { totalCount: 3, idleCount: 1, waitingCount: 2, ended: false, options: { max: 4 } };
  watchPool("requests.live", pool);
  expect(await lines("collect_database_")).toEqual([
    'collect_database_connections{pool="requests.live",state="used"} 2',
    'collect_database_connections{pool="requests.live",state="idle"} 1',
    'collect_database_connections_max{pool="requests.live"} 4',
    'collect_database_callers_waiting{pool="requests.live"} 2',
  ]);
  pool.ended = true;
  expect(await lines("collect_database_")).toEqual([]);
});

describe("a measurement", () => {
  test("is made once, however often metrics are read", async () => {
    let measured = 0;
    const measure = createMeasuring(
      {
        intake: { gauges: [intakeUnfinished], measure: async () => intakeUnfinished.set({ mode: "live" }, ++measured) },
      },
      () => {},
    );
    await Promise.all([measure(), measure(), measure()]);
    await measure();
    expect(await lines("collect_intake_unfinished")).toEqual(['collect_intake_unfinished_transfers{mode="live"} 1']);
  });

  test("that fails leaves no old value, says so, and does not fail the others", async () => {
    let isDown = false;
    const measureIntake = async () => {
      if (isDown) throw new Error("the database is down");
      intakeUnfinished.set({ mode: "live" }, 7);
    };
    const measure = createMeasuring(
      {
        intake: { gauges: [intakeUnfinished], measure: measureIntake },
        age: { gauges: [intakeOldestAge], measure: async () => intakeOldestAge.set({ mode: "live" }, 1) },
      },
      () => {},
      { rememberedMs: 0 },
    );
    await measure();
    isDown = true;
    await measure();
    expect(await lines("collect_intake")).toEqual(['collect_intake_oldest_unfinished_seconds{mode="live"} 1']);
    expect(await lines("collect_measurement_ok")).toEqual([
      'collect_measurement_ok{measurement="intake"} 0',
      'collect_measurement_ok{measurement="age"} 1',
    ]);
  });
});
