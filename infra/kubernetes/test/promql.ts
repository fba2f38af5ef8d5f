import { declaredMetrics } from "@collect/telemetry";
import type { SyntaxNode } from "@lezer/common";
import { parser } from "@prometheus-io/lezer-promql";
import { collectDefaultMetrics, Registry } from "prom-client";

/** What Prometheus adds to every figure when it reads it. */
const TARGET = ["service", "pod", "namespace", "le"];

const defaults = new Registry();
collectDefaultMetrics({ register: defaults });

/**
 * Of CloudNativePG 1.27 and its plugin Barman Cloud, by their documentation: its default queries (`pg_replication`, `pg_stat_archiver`),
 * its collector, and the plugin's page on observability.
 */
const OF_DATABASES: [string, readonly string[]][] = [
  ["cnpg_pg_replication_lag", []],
  ["cnpg_pg_replication_in_recovery", []],
  ["cnpg_pg_replication_is_wal_receiver_up", []],
  ["cnpg_pg_stat_archiver_last_archived_time", []],
  ["cnpg_pg_stat_archiver_last_failed_time", []],
  ["cnpg_collector_pg_wal_archive_status", ["value"]],
  ["barman_cloud_cloudnative_pg_io_last_available_backup_timestamp", []],
];

/** The labels of every series that there is, by its name. */
export const series = new Map<string, readonly string[]>([
  ["up", []],
  ...defaults.getMetricsAsArray().map(({ name }): [string, readonly string[]] => [name, []]),
  ...OF_DATABASES,
  ...(await declaredMetrics()).flatMap(({ name, type, labels }): [string, readonly string[]][] =>
    type === "histogram"
      ? ["_bucket", "_sum", "_count"].map((suffix) => [`${name}${suffix}`, labels])
      : [[name, labels]],
  ),
]);

/** What is wrong with an expression: its syntax, a series that no process shows, or a label that the series does not have. */
export function mistakes(expression: string): string[] {
  const textOf = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  const tree = parser.parse(expression);
  const found: string[] = [];
  const known = new Set(TARGET);
  const labels: string[] = [];
  tree.iterate({
    enter({ type, node }) {
      if (type.isError) found.push(`does not parse: ${expression}`);
      if (type.is("VectorSelector")) {
        const name = textOf(node.getChild("Identifier") ?? node);
        const own = series.get(name);
        if (!own) found.push(`there is no ${name}`);
        for (const label of own ?? []) known.add(label);
        for (const label of matched(node).map(textOf)) {
          if (own && ![...own, ...TARGET].includes(label)) found.push(`${name} has no label ${label}`);
        }
      }
      if (type.is("GroupingLabels")) labels.push(...node.getChildren("LabelName").map(textOf));
    },
  });
  return [...found, ...labels.filter((label) => !known.has(label)).map((label) => `there is no label ${label}`)];
}

/** The names in `{name="value"}`. */
function matched(selector: SyntaxNode): SyntaxNode[] {
  const matchers: SyntaxNode[] = [];
  selector.cursor().iterate(({ type, node }) => {
    if (type.is("LabelName")) matchers.push(node);
  });
  return matchers;
}
