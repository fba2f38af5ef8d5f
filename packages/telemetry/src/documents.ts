import { declaredMetrics } from "./index.ts";

/** docs/metrics.md: every metric, from its declaration alone. */
export function metricsDocument(): string {
  const rows = declaredMetrics().map(
    ({ name, type, labels, help }) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${help} |`,
  );
  return [
    "# Metrics",
    "",
    "Generated from `packages/telemetry/src` by `npm run document`; a test fails when it is out of date.",
    "",
    "Every process shows them at `/metrics` of `INTERNAL_PORT`, in Prometheus' text format, with those of Node and of the process",
    "(`nodejs_eventloop_lag_p99_seconds`, `process_resident_memory_bytes`, …). A metric without samples is absent: a process shows what it does.",
    "Durations are in seconds. [Operations](operations.md#what-to-monitor) says what to alert on.",
    "",
    "| metric | type | labels | meaning |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
