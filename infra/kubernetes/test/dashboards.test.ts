import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SERVICES } from "@collect/contracts";
import { findPrometheus } from "@collect/servers";
import { afterAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { z } from "zod";
import { kept } from "./manifests.ts";
import { mistakes, series } from "./promql.ts";
import { promtool } from "./promtool.ts";

const Query = z.looseObject({ expr: z.string(), legendFormat: z.string() });
const Dashboard = z.looseObject({
  panels: z.array(z.looseObject({ title: z.string(), targets: z.array(Query).min(1) })),
});
type Query = z.infer<typeof Query>;

const directory = mkdtempSync(join(tmpdir(), "dashboards-"));
afterAll(() => rmSync(directory, { recursive: true }));

const found = await findPrometheus("promtool");
if (!found) console.warn("no promtool on this machine: the panels are not filled (apt-get install prometheus)");

const dashboards = SERVICES.map((name) => {
  const { panels } = Dashboard.parse(JSON.parse(kept(`services/${name}/deploy/dashboard.json`)));
  return { name, panels, queries: panels.flatMap(({ targets }) => targets) };
});

describe.each(dashboards)("the dashboard of $name", ({ name, panels, queries }) => {
  test.each(panels)("$title: asks for series and labels that processes show", ({ targets }) => {
    expect(targets.flatMap(({ expr }) => mistakes(expr))).toEqual([]);
  });

  test.runIf(found)("Prometheus fills every panel, and has the labels of its legend", () => {
    expect(fill(name, queries)).toContain("SUCCESS");
  });
});

test.runIf(found).each([
  ["a label that the query does not keep", "max by (durable) (collect_dead_letters)", "{{pod}}"],
  ["a value that no process shows", 'collect_dead_letters{durable=~"payment-.+"}', "{{durable}}"],
  ["a rate of what is no range", "rate(process_cpu_seconds_total)", "{{pod}}"],
  ["a series that does not exist", "collect_dead_letter", "{{durable}}"],
])("notices %s", (_, expr, legendFormat) => {
  expect(() => fill("payments", [{ expr, legendFormat }])).toThrow("FAILED");
});

/** Lets Prometheus answer each query of a process that shows every series. Throws if one is not answered as its legend has it. */
function fill(service: string, queries: Query[]): string {
  const labels = labelsOf(service);
  const pairs = (names: readonly string[]) => names.map((name) => `${name}="${labels(name)}"`);
  const input_series = [...series].flatMap(([name, own]) =>
    (name.endsWith("_bucket") ? [['le="1"'], ['le="+Inf"']] : [[]]).map((bucket) => ({
      series: `${name}{${[...pairs([...own, "service", "pod"]), ...bucket].join(", ")}}`,
      values: /_(bucket|sum|count|total)$/.test(name) ? "0+60x10" : "0x10",
    })),
  );
  const promql_expr_test = queries.map(({ expr, legendFormat }) => {
    const legend = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
    return {
      expr: `group by (${legend.join(", ")}) (${expr})`,
      eval_time: "10m",
      exp_samples: [{ labels: `{${pairs(legend).join(", ")}}`, value: 1 }],
    };
  });
  const file = join(directory, `${service}.yaml`);
  writeFileSync(file, stringify({ tests: [{ interval: "1m", input_series, promql_expr_test }] }));
  return promtool(found ?? "promtool", ["test", "rules", file]);
}

/** One value of each label, as a process of this service shows it. */
function labelsOf(service: string): (label: string) => string {
  const values: Record<string, string> = {
    service,
    pod: `${service}-0`,
    durable: `${service}-x-live`,
    mode: "live",
    state: "used",
    outcome: "failed",
  };
  return (label) => values[label] ?? `a ${label}`;
}
