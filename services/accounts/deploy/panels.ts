import { consumers, http, type Panel, recovery } from "../../../infra/kubernetes/src/dashboard.ts";

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
  {
    title: "Reports of the partners",
    unit: "short",
    queries: { "{{partner}} {{outcome}}": "sum by (partner, outcome) (rate(collect_bank_reports_total[5m]))" },
  },
  {
    title: "Accounts opened ahead",
    unit: "short",
    queries: { "{{partner}} {{state}}": "max by (partner, state) (collect_pooled_accounts)" },
  },
  {
    title: "Settled by a partner, and otherwise unknown",
    unit: "short",
    queries: { "{{partner}}": "max by (partner) (collect_settled_unknown_transfers)" },
  },
  ...http("accounts"),
  ...consumers("accounts"),
  recovery("accounts"),
];
