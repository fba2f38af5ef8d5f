import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { files } from "../src/files.ts";

const ROOT = join(import.meta.dirname, "../../..");

const Labels = z.record(z.string(), z.string());
const Selector = z.object({ matchLabels: Labels.default({}) });
const Env = z.object({ name: z.string(), value: z.string().optional(), valueFrom: z.unknown().optional() });
const Amounts = z.record(z.string(), z.string()).default({});
const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  env: z.array(Env).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  resources: z.object({ limits: Amounts, requests: Amounts }).default({ limits: {}, requests: {} }),
  startupProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  securityContext: z.looseObject({}).optional(),
});
const Pod = z.looseObject({
  containers: z.array(Container),
  securityContext: z.looseObject({}).optional(),
  volumes: z.array(z.looseObject({})).default([]),
});
const Spec = z.looseObject({
  selector: z.looseObject({}).optional(),
  podSelector: Selector.optional(),
  template: z.looseObject({ metadata: z.object({ labels: Labels }), spec: Pod }).optional(),
});

/** An object of Kubernetes, with what the rules look at. */
export const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
  spec: Spec.optional(),
});
export type Manifest = z.infer<typeof Manifest>;
export type Container = z.infer<typeof Container>;

/** What the code makes, by path from the root. */
export const made = await files();
export const kept = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** An object as it stands in a file. */
export const Raw = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.unknown().optional(),
});
export type Raw = z.infer<typeof Raw>;

export const parse = (text: string): Raw[] => parseAllDocuments(text).map((document) => Raw.parse(document.toJS()));

/** All objects of the files in the tree, as they stand there, and with what the rules look at. */
export const raw: Raw[] = Object.keys(made)
  .filter((path) => path.endsWith(".yaml"))
  .flatMap((path) => parse(kept(path)));
export const manifests: Manifest[] = raw.map((each) => Manifest.parse(each));

/** A Deployment or a StatefulSet, with its pods. */
export type Workload = Manifest & { spec: { template: NonNullable<NonNullable<Manifest["spec"]>["template"]> } };
const hasPods = (manifest: Manifest): manifest is Workload => manifest.spec?.template !== undefined;
export const withPods = (all: Manifest[]): Workload[] => all.filter(hasPods);
export const workloads = (all: Manifest[]): Workload[] => withPods(all).filter(({ kind }) => kind !== "Job");
export const named = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;

/** Whether a selector finds pods with these labels. */
export const selects = (selector: Record<string, string>, labels: Record<string, string>): boolean =>
  Object.entries(selector).every(([label, value]) => labels[label] === value);

/** For counterexamples: one process, its container, and all objects but one of it. */
export function first(all: Manifest[]): Workload {
  const [found] = workloads(all).filter(({ metadata }) => metadata.name === "ledger");
  if (!found) throw new Error("the ledger is not deployed");
  return found;
}
export function container(all: Manifest[]): Container {
  const [found] = first(all).spec.template.spec.containers;
  if (!found) throw new Error("the ledger has no container");
  return found;
}
export const without =
  (kind: string, name = "ledger") =>
  (all: Manifest[]) =>
    void all.splice(
      all.findIndex((each) => each.kind === kind && each.metadata.name === name),
      1,
    );

type Source = { secret: { name: string; items: { key: string; path: string }[] } };

/** The projected Secrets of a pod. */
export const sourcesOf = (pod: Workload): Source[] =>
  pod.spec.template.spec.volumes.flatMap(
    ({ projected }) => (projected as { sources: Source[] } | undefined)?.sources ?? [],
  );
