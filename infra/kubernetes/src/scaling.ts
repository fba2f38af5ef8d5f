import type { IScaledObject } from "@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject";
import { ApiObject } from "cdk8s";
import { k8s } from "cdk8s-plus-34";
import type { Construct } from "constructs";
import { CLUSTER } from "./cluster.ts";
import type { Runs } from "./deployment.ts";

/** Of the processor time that is reserved. A process has one thread for JavaScript: near a whole core it only queues. */
const PROCESSOR_PERCENT = 70;
/** Events that wait, for one more replica: about two seconds of work of one. */
const WAITING_PER_REPLICA = 2_000;
/** A replica that goes gives its work to the others, so it goes slowly. */
const FEWER_AFTER_S = 300;

export function autoscale(scope: Construct, name: string, runs: Runs): void {
  if (runs.scalesBy === "processor") byProcessor(scope, name, runs);
  else byBacklog(scope, name, runs);
}

function byProcessor(scope: Construct, name: string, { replicas }: Runs): void {
  new k8s.KubeHorizontalPodAutoscalerV2(scope, "scaling", {
    metadata: { name },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
      minReplicas: replicas.min,
      maxReplicas: replicas.max,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: PROCESSOR_PERCENT } },
        },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: FEWER_AFTER_S } },
    },
  });
}

/** By what waits, and by processor time for the requests, which do not wait in a stream. */
function byBacklog(scope: Construct, name: string, { replicas, numberedBy }: Runs): void {
  const spec: NonNullable<IScaledObject["spec"]> = {
    scaleTargetRef: { kind: numberedBy ? "StatefulSet" : "Deployment", name },
    minReplicaCount: replicas.min,
    maxReplicaCount: replicas.max,
    triggers: [
      {
        type: "prometheus",
        metadata: {
          serverAddress: CLUSTER.monitoring.prometheus,
          query: waiting(name),
          threshold: String(WAITING_PER_REPLICA),
          // No figure is not zero: the fallback decides then.
          ignoreNullValues: "false",
        },
      },
      { type: "cpu", metricType: "Utilization", metadata: { value: String(PROCESSOR_PERCENT) } },
    ],
    fallback: { failureThreshold: 3, replicas: replicas.min, behavior: "currentReplicasIfHigher" },
    advanced: {
      horizontalPodAutoscalerConfig: { behavior: { scaleDown: { stabilizationWindowSeconds: FEWER_AFTER_S } } },
    },
  };
  new ApiObject(scope, "scaling", { apiVersion: "keda.sh/v1alpha1", kind: "ScaledObject", metadata: { name }, spec });
}

/** Every replica reports the same durables, so each counts once. */
const waiting = (name: string) => `sum(max by (durable) (collect_consumer_pending_messages{durable=~"${name}-.+"}))`;
