import type { Deployment } from "../../../infra/kubernetes/src/deployment.ts";

export const deployment: Deployment = {
  release: "2026-11-23",
  settings: { PAYOUT_TRANSFER_MAX: "100000000", PAYOUT_DAY_MAX: "1000000000" },
  secrets: ["FACT_KEY", "PAYOUT_KEY", "ORDER_KEY"],
  replicas: { min: 3, max: 6 },
  scalesBy: "backlog",
  // Replicas that write the same rows of our own accounts wait for each other.
  numberedBy: "LEDGER_SHARD",
  resources: { cpu: "500m", cpuMax: "1500m", memory: "384Mi" },
  database: { instances: 3, logins: ["a"], storage: "200Gi", cpu: "1", memory: "4Gi" },
};
