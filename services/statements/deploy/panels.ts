import type { Panel } from "../../../infra/kubernetes/src/dashboard.ts";

export const panels: Panel[] = [
  {
    title: "Movements that the bank's statements lack",
    unit: "short",
    queries: { movements: "max(collect_movements_missing_at_bank)" },
  },
  { title: "Days that are not closed", unit: "short", queries: { days: "max(collect_statement_days_open)" } },
  {
    title: "Since the end of the last day with a statement",
    unit: "s",
    queries: { "{{bank}}": "max by (bank) (collect_statement_age_seconds)" },
  },
];
