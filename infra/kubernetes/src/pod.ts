import { k8s } from "cdk8s-plus-34";
import { CLUSTER } from "./cluster.ts";

export const INTERNAL_PORT = 9100;
/** Longer than a process waits between being unready and stopping, and than its longest work in flight. */
const STOP_WITHIN_S = 40;
const SECRETS = "/run/secrets";

/** A file in the pod, from a key of a Secret: the value of a setting, or a certificate. */
export type SecretFile = { secret: string; key: string; name: string };

export type Process = {
  name: string;
  image: string;
  command?: readonly string[];
  settings: Record<string, string>;
  /** Settings whose values are read from files. */
  secrets: readonly SecretFile[];
  /** Files that settings name, such as certificates. */
  files: readonly SecretFile[];
  /** A setting with the replica's number. */
  numberedBy?: string;
  resources: { cpu: string; cpuMax: string; memory: string };
};

/** The authority of the broker's certificate. */
export const BROKER_AUTHORITY: SecretFile = { secret: "nats-tls", key: "ca.crt", name: "nats.pem" };

/** Every object of a process is found by these. */
export const labelsOf = (name: string) => ({
  "app.kubernetes.io/name": name,
  "app.kubernetes.io/part-of": CLUSTER.namespace,
});

/** A replica: it runs until it is stopped, and says on its internal port how it is. */
export function replica(process: Process, ports: readonly k8s.ContainerPort[]): k8s.PodSpec {
  const container = containerOf(process);
  return {
    ...podOf(process),
    serviceAccountName: process.name,
    terminationGracePeriodSeconds: STOP_WITHIN_S,
    containers: [
      {
        ...container,
        ports: [{ name: "internal", containerPort: INTERNAL_PORT }, ...ports],
        // Answered before anything is waited for: only the program itself has to be loaded.
        startupProbe: { ...probe("/livez"), periodSeconds: 2, failureThreshold: 15 },
        livenessProbe: { ...probe("/livez"), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 },
        readinessProbe: { ...probe("/readyz"), periodSeconds: 2, timeoutSeconds: 3, failureThreshold: 2 },
      },
    ],
    affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [apart(process.name)] } },
    topologySpreadConstraints: [
      {
        topologyKey: "topology.kubernetes.io/zone",
        maxSkew: 1,
        whenUnsatisfiable: "ScheduleAnyway",
        labelSelector: { matchLabels: labelsOf(process.name) },
      },
    ],
  };
}

/** A job: it ends, is tried again if it fails, and is deleted a day later. Its name has the release, because a Job never changes. */
export function job(process: Process, release: string): k8s.KubeJobProps {
  const name = `${process.name}-${release}`;
  return {
    metadata: { name },
    spec: {
      backoffLimit: 10,
      activeDeadlineSeconds: 3_600,
      ttlSecondsAfterFinished: 86_400,
      template: {
        metadata: { labels: labelsOf(process.name) },
        spec: {
          ...podOf(process),
          restartPolicy: "OnFailure",
          containers: [containerOf(process)],
        },
      },
    },
  };
}

function podOf({ secrets, files }: Process): Omit<k8s.PodSpec, "containers"> {
  return {
    automountServiceAccountToken: false,
    // Service variables such as NATS_PORT would mix with the settings.
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: "RuntimeDefault" },
    },
    volumes: [
      { name: "tmp", emptyDir: { medium: "Memory", sizeLimit: k8s.Quantity.fromString("16Mi") } },
      {
        name: "secrets",
        projected: {
          defaultMode: 0o440,
          sources: [...Map.groupBy([...secrets, ...files], ({ secret }) => secret)].map(([secret, keys]) => ({
            secret: { name: secret, items: keys.map(({ key, name }) => ({ key, path: name })) },
          })),
        },
      },
    ],
  };
}

function containerOf({ name, image, command, ...process }: Process): k8s.Container {
  const plain = Object.entries(process.settings).map(([setting, value]) => ({ name: setting, value }));
  const fromFiles = process.secrets.map((file) => ({ name: `${file.name}_FILE`, value: `${SECRETS}/${file.name}` }));
  const index = { fieldRef: { fieldPath: "metadata.labels['apps.kubernetes.io/pod-index']" } };
  return {
    name,
    image,
    ...(command && { command: [...command] }),
    env: [...plain, ...fromFiles, ...(process.numberedBy ? [{ name: process.numberedBy, valueFrom: index }] : [])],
    resources: {
      requests: quantities({ cpu: process.resources.cpu, memory: process.resources.memory }),
      limits: quantities({ cpu: process.resources.cpuMax, memory: process.resources.memory }),
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      capabilities: { drop: ["ALL"] },
      seccompProfile: { type: "RuntimeDefault" },
    },
    volumeMounts: [
      { name: "tmp", mountPath: "/tmp" },
      { name: "secrets", mountPath: SECRETS, readOnly: true },
    ],
  };
}

/** The path of a file that a setting names. */
export const pathOf = ({ name }: SecretFile): string => `${SECRETS}/${name}`;

const probe = (path: string) => ({ httpGet: { path, port: k8s.IntOrString.fromString("internal") } });

const quantities = (amounts: Record<string, string>) =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, k8s.Quantity.fromString(amount)]));

const apart = (name: string): k8s.WeightedPodAffinityTerm => ({
  weight: 100,
  podAffinityTerm: {
    topologyKey: "kubernetes.io/hostname",
    labelSelector: { matchLabels: labelsOf(name) },
  },
});
