import type { IPodMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor";
import { ApiObject } from "cdk8s";
import { k8s } from "cdk8s-plus-34";
import type { Construct } from "constructs";
import { parse } from "yaml";
import { CLUSTER } from "./cluster.ts";

const API = "monitoring.coreos.com/v1";

/** Prometheus reads every process, and says of each figure which `service` it is of. */
export function metrics(scope: Construct): void {
  const spec: NonNullable<IPodMonitor["spec"]> = {
    selector: { matchLabels: { "app.kubernetes.io/part-of": CLUSTER.namespace } },
    podMetricsEndpoints: [
      {
        port: "internal",
        path: "/metrics",
        interval: "15s",
        relabelings: [{ sourceLabels: ["__meta_kubernetes_pod_label_app_kubernetes_io_name"], targetLabel: "service" }],
      },
    ],
  };
  new ApiObject(scope, "metrics", { apiVersion: API, kind: "PodMonitor", metadata: { name: CLUSTER.namespace }, spec });
}

/**
 * Prometheus reads each instance of a database, as `service` by the name of the database. Made here: the operator no longer recommends the
 * PodMonitor that it would make itself (`enablePodMonitor` is deprecated).
 */
export function databaseMetrics(scope: Construct, name: string): void {
  const spec: NonNullable<IPodMonitor["spec"]> = {
    selector: { matchLabels: { "cnpg.io/cluster": name } },
    podMetricsEndpoints: [
      {
        port: "metrics",
        interval: "30s",
        relabelings: [{ sourceLabels: ["__meta_kubernetes_pod_label_cnpg_io_cluster"], targetLabel: "service" }],
      },
    ],
  };
  new ApiObject(scope, "database-metrics", { apiVersion: API, kind: "PodMonitor", metadata: { name }, spec });
}

/** Rules in Prometheus' own form, as its operator takes them. */
export function alerts(scope: Construct, name: string, rules: string): void {
  new ApiObject(scope, "alerts", { apiVersion: API, kind: "PrometheusRule", metadata: { name }, spec: parse(rules) });
}

/** As Grafana's sidecar finds dashboards. */
export function shown(scope: Construct, name: string, json: string): void {
  new k8s.KubeConfigMap(scope, "dashboard", {
    metadata: { name: `${name}-dashboard`, labels: { grafana_dashboard: "1" } },
    data: { [`collect-${name}.json`]: JSON.stringify(JSON.parse(json)) },
  });
}
