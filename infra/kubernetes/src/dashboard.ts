import type { Dashboard, DataQuery, Panel as GrafanaPanel } from "@grafana/schema";

/** A panel of a Grafana dashboard: what it shows, in which unit, and the queries with their legends. */
export type Panel = { title: string; unit: "s" | "short" | "percentunit" | "bytes"; queries: Record<string, string> };

const COLUMNS = 3;
const GRID = { width: 24, height: 8 };

/** A Grafana dashboard of one process: its own panels, and those that every process has. */
export function dashboard(name: string, own: readonly Panel[]): string {
  const whole: Dashboard = {
    uid: `collect-${name}`,
    title: `Collect: ${name}`,
    tags: ["collect"],
    schemaVersion: 39,
    editable: false,
    refresh: "30s",
    time: { from: "now-3h", to: "now" },
    templating: { list: [{ name: "source", type: "datasource", query: "prometheus", label: "Prometheus" }] },
    panels: [...own, ...common(name)].map(placed),
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** The Prometheus that the reader chooses. */
const SOURCE = { type: "prometheus", uid: "$source" };
/** Grafana's schema has no type of Prometheus' queries. */
type Query = Pick<DataQuery, "refId" | "datasource"> & { expr: string; legendFormat: string };

function placed({ title, unit, queries }: Panel, index: number): GrafanaPanel {
  return {
    id: index + 1,
    type: "timeseries",
    title,
    datasource: SOURCE,
    gridPos: {
      x: (index % COLUMNS) * (GRID.width / COLUMNS),
      y: Math.floor(index / COLUMNS) * GRID.height,
      w: GRID.width / COLUMNS,
      h: GRID.height,
    },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: Object.entries(queries).map(
      ([legendFormat, expr], letter): Query => ({
        refId: String.fromCharCode("A".charCodeAt(0) + letter),
        datasource: SOURCE,
        expr,
        legendFormat,
      }),
    ),
  };
}

const common = (name: string): Panel[] => [
  {
    title: "Checks that fail",
    unit: "short",
    queries: { "{{pod}}: {{check}}": `collect_check_ok{service="${name}"} == 0` },
  },
  {
    title: "Event loop, 99th percentile of the delay",
    unit: "s",
    queries: { "{{pod}}": `nodejs_eventloop_lag_p99_seconds{service="${name}"}` },
  },
  {
    title: "Processor time",
    unit: "percentunit",
    queries: { "{{pod}}": `rate(process_cpu_seconds_total{service="${name}"}[5m])` },
  },
  { title: "Memory", unit: "bytes", queries: { "{{pod}}": `process_resident_memory_bytes{service="${name}"}` } },
  {
    title: "Database connections",
    unit: "short",
    queries: {
      "{{pool}} used": `sum by (pool) (collect_database_connections{service="${name}", state="used"})`,
      "{{pool}} at most": `sum by (pool) (collect_database_connections_max{service="${name}"})`,
      "{{pool}} callers waiting": `sum by (pool) (collect_database_callers_waiting{service="${name}"})`,
    },
  },
  {
    title: "Requests answered over the bus",
    unit: "short",
    queries: {
      "{{outcome}}": `sum by (outcome) (rate(collect_bus_served_request_duration_seconds_count{service="${name}"}[5m]))`,
    },
  },
  {
    title: "Requests answered over the bus, 99th percentile",
    unit: "s",
    queries: { "{{subject}}": slowest("collect_bus_served_request_duration_seconds", `service="${name}"`, "subject") },
  },
];

/** The 99th percentile by a label. */
export const slowest = (metric: string, labels: string, by: string): string =>
  `histogram_quantile(0.99, sum by (le, ${by}) (rate(${metric}_bucket{${labels}}[5m])))`;

/** Of a process that serves HTTP. */
export const http = (name: string): Panel[] => [
  {
    title: "HTTP requests",
    unit: "short",
    queries: {
      "{{status}}": `sum by (status) (rate(collect_http_request_duration_seconds_count{service="${name}"}[5m]))`,
    },
  },
  {
    title: "HTTP requests, 99th percentile",
    unit: "s",
    queries: { "{{route}}": slowest("collect_http_request_duration_seconds", `service="${name}"`, "route") },
  },
  {
    title: "Requests sent over the bus that did not succeed",
    unit: "short",
    queries: {
      "{{subject}} {{outcome}}": `sum by (subject, outcome) (rate(collect_bus_sent_request_duration_seconds_count{service="${name}", outcome!="ok"}[5m]))`,
    },
  },
];

/** Of a service that catches up from its peers when its database is restored. */
export const recovery = (name: string): Panel => ({
  title: "Catching up after a restore, for",
  unit: "s",
  queries: { "{{step}}": `max by (step) (collect_recovery_seconds{service="${name}"})` },
});

/** Of a process that consumes events. */
export const consumers = (name: string): Panel[] => [
  {
    title: "Events waiting",
    unit: "short",
    queries: {
      "{{durable}}": `max by (durable) (collect_consumer_pending_messages{durable=~"${name}-.+"})`,
      "{{durable}} taken": `max by (durable) (collect_consumer_unacknowledged_messages{durable=~"${name}-.+"})`,
      "{{durable}} dead": `max by (durable) (collect_dead_letters{durable=~"${name}-.+"})`,
    },
  },
  {
    title: "Events handled",
    unit: "short",
    queries: {
      "{{durable}}": `sum by (durable) (rate(collect_consumer_batch_facts_sum{service="${name}"}[5m]))`,
      "{{durable}} repeated": `sum by (durable) (rate(collect_consumer_batch_retries_total{service="${name}"}[5m]))`,
    },
  },
  {
    title: "Batches, 99th percentile",
    unit: "s",
    queries: { "{{durable}}": slowest("collect_consumer_batch_duration_seconds", `service="${name}"`, "durable") },
  },
];
