import { k8s } from "cdk8s-plus-34";
import type { Construct } from "constructs";
import { CLUSTER } from "./cluster.ts";
import { alerts, metrics } from "./monitoring.ts";
import { brokerPolicy, defaultDeny, jobPolicy } from "./network.ts";
import { BROKER_AUTHORITY, job } from "./pod.ts";
import { broker, imageOf, secretsOf } from "./service.ts";

/** The release of the job that prepares the broker's streams for the contracts. */
const RELEASE = "2026-11-23";

/** What belongs to no service: the namespace, what is denied in it, the broker's network and streams, and that Prometheus reads all. */
export function shared(scope: Construct, rules: string): void {
  new k8s.KubeNamespace(scope, "namespace", {
    metadata: {
      name: CLUSTER.namespace,
      labels: { "pod-security.kubernetes.io/enforce": "restricted", "pod-security.kubernetes.io/warn": "restricted" },
    },
  });
  defaultDeny(scope);
  brokerPolicy(scope);
  new k8s.KubeJob(scope, "streams", job(STREAMS, RELEASE));
  jobPolicy(scope, "streams", "broker");
  metrics(scope);
  alerts(scope, "processes", rules);
}

const STREAMS = {
  name: "streams",
  image: imageOf("setup", RELEASE),
  command: ["node", "src/streams.ts"],
  settings: broker(),
  secrets: secretsOf("streams", ["NATS_NKEY_SEED"]),
  files: [BROKER_AUTHORITY],
  resources: { cpu: "100m", cpuMax: "1", memory: "256Mi" },
};
