import { BarmanObjectStoreConfiguration } from "@kubernetes-models/cloudnative-pg/github.com/cloudnative-pg/barman-cloud/pkg/api";
import { Cluster, ScheduledBackup } from "@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1";
import { ScaledObject } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { PodMonitor, PrometheusRule } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1";
import { Deployment, StatefulSet } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Job } from "kubernetes-models/batch/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Namespace, Service, ServiceAccount } from "kubernetes-models/v1";
import { describe, expect, test } from "vitest";
import { kept, parse, type Raw, raw } from "./manifests.ts";

type Model = { prototype: { validate(): void } };
const MODELS: (Model & { kind: string })[] = [
  ...[ConfigMap, Deployment, HorizontalPodAutoscaler, Job, Namespace, NetworkPolicy, PodDisruptionBudget, Service],
  ...[ServiceAccount, StatefulSet, Cluster, ScheduledBackup, ScaledObject, PodMonitor, PrometheusRule],
];

/** What the schema of its kind has against an object: wrong values, and fields that it does not have. */
function violations(manifest: Raw): string[] {
  // The plugin's resource has no package. Most of it is what the operator itself had before.
  if (manifest.kind === "ObjectStore")
    return violationsOf(BarmanObjectStoreConfiguration, Object(manifest.spec).configuration);
  const model = MODELS.find((each) => each.kind === manifest.kind);
  return model ? violationsOf(model, manifest) : [`no schema is known for ${manifest.kind}`];
}

/**
 * Schemas of Kubernetes let unknown fields pass. Their validators look at every field that they know, so a field that was not
 * looked at is unknown.
 */
function violationsOf(model: Model, value: object): string[] {
  const seen = new Map<object, Set<string>>();
  const watched = <Value>(watchable: Value): Value => {
    if (typeof watchable !== "object" || watchable === null) return watchable;
    const fields = seen.get(watchable) ?? new Set();
    seen.set(watchable, fields);
    return new Proxy(watchable, {
      get(target, field, receiver) {
        fields.add(String(field));
        return watched(Reflect.get(target, field, receiver));
      },
    });
  };
  try {
    model.prototype.validate.call(watched(value));
  } catch (error) {
    return [String(error)];
  }
  return unseen(value, seen, "");
}

function unseen(value: unknown, seen: Map<object, Set<string>>, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([field, child]) =>
    seen.get(value)?.has(field) ? unseen(child, seen, `${path}.${field}`) : [`unknown field ${path}.${field}`],
  );
}

test.each(raw)("the schema accepts $kind $metadata.name", (manifest) => {
  expect(violations(manifest)).toEqual([]);
});

/** Changes of one word in the text of a file, as a person makes them. */
describe.each(
  Object.entries({
    "a misspelled probe": ["livenessProbe:", "livenessProb:"],
    "a misspelled field of a probe": ["failureThreshold:", "failureTreshold:"],
    "a field at the wrong depth": ["terminationGracePeriodSeconds: 40", "runAsNonRoot: true"],
    "text for a number": ["containerPort: 9100", "containerPort: internal"],
    "a policy that does not exist": ["whenUnsatisfiable: ScheduleAnyway", "whenUnsatisfiable: 1"],
    "a misspelled trigger": ["fallback:", "fallbak:"],
    "a durability that does not exist": ["dataDurability: required", "dataDurability: sometimes"],
    "a misspelled role": ["passwordSecret:", "pasword:"],
    "a backup of the wrong kind": ["method: plugin", "method: copy"],
    "a misspelled store": ["s3Credentials:", "s3Credential:"],
  }),
)("the schema notices %s", (_, [right = "", wrong = ""]) => {
  test(wrong, () => {
    const text = kept("services/ledger/deploy/kubernetes.yaml");
    expect(text).toContain(right);
    expect(parse(text.replace(right, wrong)).flatMap(violations)).not.toEqual([]);
  });
});
