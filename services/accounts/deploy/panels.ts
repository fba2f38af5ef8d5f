import { consumers, http, type Panel } from "../../../infra/kubernetes/src/dashboard.ts";

export const panels: Panel[] = [
  {
    title: "Money on its way",
    unit: "short",
    queries: { "{{mode}}": "max by (mode) (collect_intake_unfinished_transfers)" },
  },
  {
    title: "The oldest money on its way",
    unit: "s",
    queries: { "{{mode}}": "max by (mode) (collect_intake_oldest_unfinished_seconds)" },
  },
  ...http("accounts"),
  ...consumers("accounts"),
];
