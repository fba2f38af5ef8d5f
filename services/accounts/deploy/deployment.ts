import { CLUSTER } from "../../../infra/kubernetes/src/cluster.ts";
import type { Deployment } from "../../../infra/kubernetes/src/deployment.ts";
import { partnerSettings } from "../../../infra/kubernetes/src/partners.ts";

const partners = partnerSettings().accounts;

export const deployment: Deployment = {
  release: "2026-11-23",
  settings: {
    BANK_URL: CLUSTER.bank.url,
    BANK_CODE: CLUSTER.bank.code,
    BANK_NAME: CLUSTER.bank.name,
    ...partners.settings,
  },
  secrets: ["FACT_KEY", "BANK_DOOR_SECRET", "BANK_API_SECRET", "INTAKE_KEY", ...partners.secrets],
  http: { setting: "BANK_DOOR_PORT", port: 4300 },
  calls: ["bank"],
  replicas: { min: 3, max: 6 },
  scalesBy: "processor",
  // After an outage of the ledger it reached 385 MB (docs/performance.md), and 384 Mi are 402.
  resources: { cpu: "500m", cpuMax: "1500m", memory: "512Mi" },
  database: { instances: 3, logins: ["a"], storage: "200Gi", cpu: "1", memory: "4Gi" },
};
