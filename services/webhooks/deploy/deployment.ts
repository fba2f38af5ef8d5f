import type { Deployment } from "../../../infra/kubernetes/src/deployment.ts";

export const deployment: Deployment = {
  release: "2026-11-23",
  settings: {},
  secrets: ["KEYRING"],
  calls: ["merchants"],
  replicas: { min: 3, max: 8 },
  scalesBy: "backlog",
  resources: { cpu: "500m", cpuMax: "1500m", memory: "512Mi" },
  database: { instances: 3, logins: ["a"], storage: "400Gi", cpu: "1", memory: "4Gi" },
};
