import { CLUSTER } from "../../../infra/kubernetes/src/cluster.ts";
import type { Deployment } from "../../../infra/kubernetes/src/deployment.ts";
import { partnerSettings } from "../../../infra/kubernetes/src/partners.ts";

const partners = partnerSettings().payments;

export const deployment: Deployment = {
  release: "2026-11-23",
  settings: {
    CHECKOUT_URL: CLUSTER.urls.checkout,
    BANK_URL: CLUSTER.bank.url,
    BANK_CODE: CLUSTER.bank.code,
    BANK_NAME: CLUSTER.bank.name,
    ...partners.settings,
  },
  secrets: ["PAYOUT_KEY", "ORDER_KEY", "BANK_API_SECRET", "TRANSFER_KEY", ...partners.secrets],
  calls: ["bank"],
  replicas: { min: 3, max: 6 },
  scalesBy: "backlog",
  resources: { cpu: "500m", cpuMax: "1500m", memory: "512Mi" },
  database: { instances: 3, logins: ["a"], storage: "200Gi", cpu: "1", memory: "4Gi" },
};
