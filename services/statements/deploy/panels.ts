import type { Panel } from "../../../infra/kubernetes/src/dashboard.ts";

export const panels: Panel[] = [
  {
    title: "Movements that the bank's statements lack",
    unit: "short",
    queries: { movements: "max(collect_movements_missing_at_bank)" },
  },
];
