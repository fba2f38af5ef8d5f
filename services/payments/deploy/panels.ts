import { consumers, type Panel, recovery } from "../../../infra/kubernetes/src/dashboard.ts";

export const panels: Panel[] = [
  {
    title: "Payouts that the bank has not answered",
    unit: "short",
    queries: { "{{mode}}": "max by (mode) (collect_payouts_unanswered)" },
  },
  {
    title: "The oldest of them",
    unit: "s",
    queries: { "{{mode}}": "max by (mode) (collect_payouts_oldest_unanswered_seconds)" },
  },
  ...consumers("payments"),
  recovery("payments"),
];
