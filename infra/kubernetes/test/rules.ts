import { isDeepStrictEqual } from "node:util";
import { INTERNAL_PORT } from "../src/pod.ts";
import {
  type Container,
  container,
  first,
  type Manifest,
  named,
  type Workload,
  without,
  withPods,
  workloads,
} from "./manifests.ts";

/** A rule: what breaks it among all objects, and changes that do, as proof that it notices them. */
export type Rule = {
  name: string;
  violations(all: Manifest[]): string[];
  counterexamples: Record<string, (all: Manifest[]) => unknown>;
};

const eachContainer = (pods: Workload[], check: (container: Container) => string[]) =>
  pods.flatMap((pod) =>
    pod.spec.template.spec.containers.flatMap((each) => check(each).map((what) => `${named(pod)}: ${what}`)),
  );

export const images: Rule = {
  name: "every image has a tag that says its release",
  violations: (all) =>
    eachContainer(withPods(all), ({ image }) =>
      /:(?!latest$)[\w.-]+$|@sha256:/.test(image) ? [] : [`${image} has no release`],
    ),
  counterexamples: {
    "the latest": (all) => Object.assign(container(all), { image: "registry.example.com/collect/ledger:latest" }),
    none: (all) => Object.assign(container(all), { image: "registry.example.com:5000/collect/ledger" }),
  },
};

export const limits: Rule = {
  name: "every container reserves and is limited in processor time and memory",
  violations: (all) =>
    eachContainer(withPods(all), ({ resources }) =>
      ["requests", "limits"].flatMap((kind) =>
        ["cpu", "memory"]
          .filter((what) => !resources[kind as "requests" | "limits"][what])
          .map((what) => `no ${kind} of ${what}`),
      ),
    ),
  counterexamples: { "no limit of memory": (all) => delete container(all).resources.limits.memory },
};

const PROBES = { startupProbe: "/livez", livenessProbe: "/livez", readinessProbe: "/readyz" } as const;

export const probes: Rule = {
  name: "every replica is asked on its internal port whether it has started, lives and is ready",
  violations: (all) =>
    eachContainer(workloads(all), (each) => [
      ...Object.entries(PROBES).flatMap(([probe, path]) => {
        const asked = each[probe as keyof typeof PROBES]?.httpGet;
        return asked?.path === path && asked.port === "internal" ? [] : [`no ${probe} of ${path}`];
      }),
      ...(each.ports.some(({ name, containerPort }) => name === "internal" && containerPort === INTERNAL_PORT)
        ? []
        : ["no internal port"]),
    ]),
  counterexamples: {
    "a misspelled probe": (all) => {
      Object.assign(container(all), { livenessProb: container(all).livenessProbe });
      delete container(all).livenessProbe;
    },
    "ready because it lives": (all) => Object.assign(container(all), { readinessProbe: container(all).livenessProbe }),
  },
};

const CONFINED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};

export const confinement: Rule = {
  name: "every pod runs as no root, without capabilities, token or service variables, on a root that cannot be written",
  violations: (all) => [
    ...eachContainer(withPods(all), ({ securityContext }) =>
      isDeepStrictEqual(securityContext, CONFINED) ? [] : ["is not confined"],
    ),
    ...withPods(all).flatMap((pod) => {
      const { automountServiceAccountToken, enableServiceLinks, securityContext } = pod.spec.template.spec;
      const isConfined =
        automountServiceAccountToken === false && enableServiceLinks === false && securityContext?.runAsUser === 1000;
      return isConfined ? [] : [`${named(pod)}: is not confined`];
    }),
  ],
  counterexamples: {
    "a root that can be written": (all) =>
      Object.assign(container(all), { securityContext: { ...CONFINED, readOnlyRootFilesystem: false } }),
    "a token": (all) => delete first(all).spec.template.spec.automountServiceAccountToken,
  },
};

export const company: Rule = {
  name: "every replicated process has an account and a disruption budget",
  violations: (all) =>
    workloads(all).flatMap((workload) => {
      const { template, selector } = workload.spec;
      const account = all.find(
        ({ kind, metadata }) => kind === "ServiceAccount" && metadata.name === template.spec.serviceAccountName,
      );
      const budget = all.find(
        ({ kind, spec }) => kind === "PodDisruptionBudget" && isDeepStrictEqual(spec?.selector, selector),
      );
      return [...(account ? [] : ["no account"]), ...(budget ? [] : ["no budget"])].map(
        (what) => `${named(workload)} has ${what}`,
      );
    }),
  counterexamples: { "no budget": without("PodDisruptionBudget"), "no account": without("ServiceAccount") },
};

const isApart = ({ metadata }: Manifest) => metadata.name === "operators";

export const standing: Rule = {
  name: "a replica lost, moved or replaced leaves others: at least two, spread, stopped in 40 seconds, the new one ready first",
  violations: (all) =>
    workloads(all).flatMap((workload) => {
      const { spec } = workload;
      const pod = spec.template.spec;
      const rolling = { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } };
      return [
        ...(minimumOf(workload, all) >= (isApart(workload) ? 1 : 2) ? [] : ["has fewer than two replicas"]),
        ...(pod.affinity && Array.isArray(pod.topologySpreadConstraints) ? [] : ["is not spread"]),
        ...(pod.terminationGracePeriodSeconds === 40 ? [] : ["is killed too early"]),
        ...(workload.kind === "StatefulSet" || isDeepStrictEqual(spec.strategy, rolling)
          ? []
          : ["stops before it starts"]),
      ].map((what) => `${named(workload)} ${what}`);
    }),
  counterexamples: {
    "no autoscaler and no number": without("ScaledObject"),
    "killed at once": (all) => Object.assign(first(all).spec.template.spec, { terminationGracePeriodSeconds: 5 }),
    "all on one machine": (all) => delete first(all).spec.template.spec.topologySpreadConstraints,
  },
};

/** As an autoscaler has it, or the workload itself. */
function minimumOf({ kind, metadata, spec }: Manifest, all: Manifest[]): number {
  const scaler = all
    .filter((each) => ["HorizontalPodAutoscaler", "ScaledObject"].includes(each.kind))
    .find((each) => isDeepStrictEqual(targetOf(each), { kind, name: metadata.name }));
  return Number(scaler?.spec?.minReplicas ?? scaler?.spec?.minReplicaCount ?? spec?.replicas ?? 1);
}

function targetOf({ spec }: Manifest) {
  const { kind, name } = (spec?.scaleTargetRef ?? {}) as Record<string, string>;
  return { kind, name };
}

export const scalers: Rule = {
  name: "every autoscaler has a target that exists and leaves its number to it",
  violations: (all) =>
    all
      .filter(({ spec }) => spec?.scaleTargetRef)
      .filter((scaler) => {
        const target = workloads(all).find(({ kind, metadata }) =>
          isDeepStrictEqual(targetOf(scaler), { kind, name: metadata.name }),
        );
        return !target || target.spec.replicas !== undefined;
      })
      .map((scaler) => `${named(scaler)} scales nothing, or what has a number`),
  counterexamples: {
    "a Deployment that is a StatefulSet": (all) =>
      Object.assign(all.find((each) => each.kind === "ScaledObject" && each.metadata.name === "ledger")?.spec ?? {}, {
        scaleTargetRef: { kind: "Deployment", name: "ledger" },
      }),
    "a number beside it": (all) => Object.assign(first(all).spec, { replicas: 3 }),
  },
};
