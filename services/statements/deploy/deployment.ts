import type { Deployment } from "../../../infra/kubernetes/src/deployment.ts";

export const deployment: Deployment = {
  release: "2026-11-23",
  settings: {},
  secrets: [],
  replicas: { min: 2, max: 3 },
  scalesBy: "processor",
  // A file of 16 MB is in memory with its lines.
  resources: { cpu: "100m", cpuMax: "1500m", memory: "768Mi" },
  database: { instances: 3, logins: ["a"], storage: "50Gi", cpu: "250m", memory: "1Gi" },
};
