import { k8s } from "cdk8s-plus-34";
import type { Construct } from "constructs";
import type { Runs } from "./deployment.ts";
import { INTERNAL_PORT, labelsOf, type Process, replica } from "./pod.ts";
import { autoscale } from "./scaling.ts";

/** The replicas of a process, and what keeps enough of them running. */
export function workload(scope: Construct, process: Process, runs: Runs): void {
  const { name } = process;
  const metadata = { name };
  new k8s.KubeServiceAccount(scope, "account", { metadata, automountServiceAccountToken: false });
  if (runs.numberedBy) numberedReplicas(scope, process, runs);
  else replicas(scope, process, runs);
  if (runs.http) {
    const port = { name: "http", port: runs.http.port, targetPort: k8s.IntOrString.fromString("http") };
    new k8s.KubeService(scope, "service", { metadata, spec: { selector: labelsOf(name), ports: [port] } });
  }
  new k8s.KubePodDisruptionBudget(scope, "budget", {
    metadata,
    spec: { maxUnavailable: count(1), ...selectorOf(name) },
  });
  if (!isFixed(runs)) autoscale(scope, name, runs);
}

/** A new replica is ready before an old one is stopped. */
function replicas(scope: Construct, process: Process, runs: Runs): void {
  new k8s.KubeDeployment(scope, "replicas", {
    metadata: { name: process.name },
    spec: {
      ...replicasOf(process, runs),
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: count(0), maxSurge: count(1) } },
    },
  });
}

/** Numbered ones are replaced one by one, each stopped before its successor starts: two would share a number. */
function numberedReplicas(scope: Construct, process: Process, runs: Runs): void {
  const { name } = process;
  new k8s.KubeStatefulSet(scope, "replicas", {
    metadata: { name },
    spec: { ...replicasOf(process, runs), serviceName: name, podManagementPolicy: "Parallel" },
  });
  new k8s.KubeService(scope, "names", {
    metadata: { name },
    spec: {
      clusterIp: "None",
      selector: labelsOf(name),
      ports: [{ name: "internal", port: INTERNAL_PORT, targetPort: k8s.IntOrString.fromString("internal") }],
    },
  });
}

/** Without their number where an autoscaler decides it: applying the file again would reset it. */
function replicasOf(process: Process, runs: Runs) {
  const { name } = process;
  const ports = runs.http ? [{ name: "http", containerPort: runs.http.port }] : [];
  return {
    ...(isFixed(runs) && { replicas: runs.replicas.min }),
    ...selectorOf(name),
    template: { metadata: { labels: labelsOf(name) }, spec: replica(process, ports) },
  };
}

const isFixed = ({ replicas: { min, max } }: Runs) => min === max;
const selectorOf = (name: string) => ({ selector: { matchLabels: labelsOf(name) } });
const count = (number: number) => k8s.IntOrString.fromNumber(number);
