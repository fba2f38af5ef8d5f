import { consumers, type Panel, recovery, slowest } from "../../../infra/kubernetes/src/dashboard.ts";

export const panels: Panel[] = [
  {
    title: "Webhooks that wait",
    unit: "short",
    queries: {
      "{{mode}}": "max by (mode) (collect_deliveries_waiting)",
      "{{mode}} held": "max by (mode) (collect_deliveries_held)",
    },
  },
  {
    title: "Attempts",
    unit: "short",
    queries: {
      "{{mode}} {{outcome}}": "sum by (mode, outcome) (rate(collect_webhook_attempt_duration_seconds_count[5m]))",
    },
  },
  {
    title: "Attempts, 99th percentile",
    unit: "s",
    queries: { "{{outcome}}": slowest("collect_webhook_attempt_duration_seconds", 'mode="live"', "outcome") },
  },
  ...consumers("webhooks"),
  recovery("webhooks"),
];
