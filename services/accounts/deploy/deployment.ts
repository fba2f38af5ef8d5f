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
    // "true" once no replica of the release before is left, which is the last step of deploying this one (docs/operations.md); at once where there was none.
    BOOK_REVERSALS: "false",
  },
  secrets: ["FACT_KEY", "BANK_DOOR_SECRET", "BANK_API_SECRET", "INTAKE_KEY", ...partners.secrets],
  http: { setting: "BANK_DOOR_PORT", port: 4300 },
  calls: ["bank"],
  replicas: { min: 3, max: 6 },
  scalesBy: "processor",
  resources: { cpu: "500m", cpuMax: "1500m", memory: "384Mi" },
  database: { instances: 3, logins: ["a"], storage: "200Gi", cpu: "1", memory: "4Gi" },
};
