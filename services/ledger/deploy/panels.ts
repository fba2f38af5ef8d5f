import { consumers, type Panel, recovery } from "../../../infra/kubernetes/src/dashboard.ts";

export const panels: Panel[] = [
  {
    title: "Differences",
    unit: "short",
    queries: { "{{part}}": "max by (part) (collect_ledger_audit_differences)" },
  },
  { title: "Age of the proof", unit: "s", queries: { "{{part}}": "min by (part) (collect_ledger_audit_age_seconds)" } },
  {
    title: "Settlements that are due and failed",
    unit: "short",
    queries: { "{{mode}}": "max by (mode) (collect_settlements_due)" },
  },
  ...consumers("ledger"),
  recovery("ledger"),
];
