import { CLUSTER } from "../../../infra/kubernetes/src/cluster.ts";
import type { Deployment } from "../../../infra/kubernetes/src/deployment.ts";

export const deployment: Deployment = {
  release: "2026-11-23",
  settings: {
    API_URL: CLUSTER.urls.api,
    DOCS_URL: CLUSTER.urls.docs,
    BANK_NAME: CLUSTER.bank.name,
    OPERATORS: CLUSTER.operators,
  },
  secrets: ["ORDER_KEY"],
  http: { setting: "PORT", port: 4000 },
  replicas: { min: 3, max: 8 },
  scalesBy: "processor",
  resources: { cpu: "250m", cpuMax: "1500m", memory: "384Mi" },
  database: { instances: 3, logins: ["a"], storage: "20Gi", cpu: "500m", memory: "1Gi" },
};
