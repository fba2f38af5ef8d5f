import { CLUSTER } from "../../../infra/kubernetes/src/cluster.ts";
import type { Deployment } from "../../../infra/kubernetes/src/deployment.ts";

export const deployment: Deployment = {
  release: "2026-11-23",
  settings: {
    APP_URL: CLUSTER.urls.dashboard,
    TEST_RECEIVER_URL: CLUSTER.urls.dashboard,
    API_URL: CLUSTER.urls.api,
    CHECKOUT_URL: CLUSTER.urls.checkout,
    MAIL_FROM: CLUSTER.mail.sender,
  },
  secrets: ["ORDER_KEY", "AUTH_SECRET", "KEYRING", "SMTP_URL"],
  http: { setting: "PORT", port: 4200 },
  calls: ["mail"],
  replicas: { min: 2, max: 6 },
  scalesBy: "processor",
  resources: { cpu: "250m", cpuMax: "1500m", memory: "512Mi" },
  database: { instances: 3, logins: ["a"], storage: "20Gi", cpu: "500m", memory: "1Gi" },
};
