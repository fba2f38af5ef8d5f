import { CLUSTER } from "../../../infra/kubernetes/src/cluster.ts";
import type { Deployment } from "../../../infra/kubernetes/src/deployment.ts";

export const deployment: Deployment = {
  release: "2026-11-23",
  settings: { DOCS_URL: CLUSTER.urls.docs },
  secrets: [],
  http: { setting: "PORT", port: 4100 },
  replicas: { min: 2, max: 8 },
  scalesBy: "processor",
  resources: { cpu: "250m", cpuMax: "1500m", memory: "384Mi" },
  // Copies of what payments has: losing a few commits loses nothing.
  database: { instances: 2, logins: ["a"], storage: "20Gi", cpu: "250m", memory: "1Gi" },
};
