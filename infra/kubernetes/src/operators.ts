import type { Construct } from "constructs";
import { CLUSTER } from "./cluster.ts";
import type { Deployment } from "./deployment.ts";
import { processPolicy } from "./network.ts";
import { BROKER_AUTHORITY } from "./pod.ts";
import { broker, imageOf, secretsOf } from "./service.ts";
import { workload } from "./workload.ts";

const NAME = "operators";
const PORT = 4210;

/**
 * The operators' pages: the dashboard's image with another command, no database and one secret. One replica, because sessions are
 * in its memory. A file of its own, which is not applied with the dashboard.
 */
export function operators(scope: Construct, dashboard: Deployment): void {
  const process = {
    name: NAME,
    image: imageOf("dashboard", dashboard.release),
    command: ["node", "src/operators.ts"],
    settings: {
      ...broker(),
      HOST: "0.0.0.0",
      PORT: String(PORT),
      APP_URL: CLUSTER.urls.operators,
      TRUSTED_PROXIES: CLUSTER.ingress.proxies,
    },
    secrets: secretsOf(NAME, ["NATS_NKEY_SEED"]),
    files: [BROKER_AUTHORITY],
    resources: { cpu: "50m", cpuMax: "500m", memory: "192Mi" },
  };
  workload(scope, process, {
    http: { setting: "PORT", port: PORT },
    replicas: { min: 1, max: 1 },
    scalesBy: "processor",
  });
  processPolicy(scope, NAME, { httpPort: PORT, hasDatabase: false, calls: [] });
}
