import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SERVICES } from "@collect/contracts";
import { findPrometheus } from "@collect/servers";
import { afterAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { alerts, RULE_FILES } from "./alerts.ts";
import { promtool } from "./promtool.ts";
import { gone, HEALTHY, LOG_WAITS, ONE_REPORT_FAILED, PROVOKED, type Series, STANDBY_LAGS } from "./provoked.ts";

const ROOT = join(import.meta.dirname, "../../..");
const rules = RULE_FILES.map((path) => join(ROOT, path));
const directory = mkdtempSync(join(tmpdir(), "alerts-"));
afterAll(() => rmSync(directory, { recursive: true }));

const found = await findPrometheus("promtool");
if (!found) console.warn("no promtool on this machine: the alerts are not provoked (apt-get install prometheus)");

/** Ninety minutes of these series, after which exactly these alerts fire. */
const scenario = (name: string, series: Series, firing: string[]) => ({
  name,
  interval: "1m",
  input_series: Object.entries(series).map(([metric, values]) => ({ series: metric, values })),
  promql_expr_test: [
    {
      expr: 'count by (alertname) (ALERTS{alertstate="firing"}) > bool 0',
      eval_time: "90m",
      exp_samples: firing.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    },
  ],
});

function run(scenarios: ReturnType<typeof scenario>[], every = "5m"): string {
  const file = join(directory, "alerts.test.yaml");
  writeFileSync(file, stringify({ rule_files: rules, evaluation_interval: every, tests: scenarios }));
  return promtool(found ?? "promtool", ["test", "rules", file]);
}

test("every alert has what provokes it", () => {
  expect(Object.keys(PROVOKED).toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
});

test.runIf(found)("Prometheus accepts the rules", () => {
  expect(promtool(found ?? "", ["check", "rules", ...rules])).toContain("SUCCESS");
});

test.runIf(found)("nothing fires in a healthy deployment, and each alert fires alone when it is provoked", () => {
  const provoked = Object.entries(PROVOKED).map(([alert, changes]) =>
    scenario(alert, { ...HEALTHY, ...changes }, [alert]),
  );
  expect(run([scenario("healthy", HEALTHY, []), ...provoked])).toContain("SUCCESS");
});

test.runIf(found)("a service without any replica is noticed, whichever it is", () => {
  const all = SERVICES.map((name) => scenario(name, { ...HEALTHY, ...gone(name) }, ["ServiceGone"]));
  expect(run(all)).toContain("SUCCESS");
});

test.runIf(found)("a log that waits, and a standby that is late, are noticed as well as those that failed", () => {
  const lags = scenario("standby", { ...HEALTHY, ...STANDBY_LAGS }, ["StandbyBehind"]);
  expect(run([scenario("log", { ...HEALTHY, ...LOG_WAITS }, ["LogNotArchived"]), lags])).toContain("SUCCESS");
});

test.runIf(found)("a single report of the bank that failed wakes no person", () => {
  expect(run([scenario("one", { ...HEALTHY, ...ONE_REPORT_FAILED }, [])], "1m")).toContain("SUCCESS");
});

test.runIf(found)("an alert that does not fire is noticed", () => {
  expect(() => run([scenario("healthy", HEALTHY, ["DeadLetters"])])).toThrow("FAILED");
});
