import { container, first, kept, type Manifest, named, sourcesOf, type Workload, withPods } from "./manifests.ts";
import type { Rule } from "./rules.ts";

export const documented: Rule = {
  name: "every Secret that is referred to is in the README, and none is in the tree",
  violations: (all) => {
    const known = documentedSecrets(kept("infra/kubernetes/README.md"));
    const has = ({ secret, key }: Reference) => known.some(({ name, keys }) => name.test(secret) && keys.includes(key));
    return [
      ...all.filter(({ kind }) => kind === "Secret").map((secret) => `${named(secret)} is in the tree`),
      ...referencesIn(all)
        .filter((reference) => !has(reference))
        .map(({ secret, key }) => `the README does not name ${key} of ${secret}`),
    ];
  },
  counterexamples: {
    "a secret in the tree": (all) => all.push({ apiVersion: "v1", kind: "Secret", metadata: { name: "ledger" } }),
    "a key that the README does not name": (all) =>
      sourcesOf(first(all))[0]?.secret.items.push({ key: "OTHER", path: "OTHER" }),
  },
};

export const readable: Rule = {
  name: "every file that a setting names is mounted, and every one mounted is named",
  violations: (all) =>
    withPods(all).flatMap((pod) => {
      const files = sourcesOf(pod).flatMap(({ secret }) => secret.items.map(({ path }) => `/run/secrets/${path}`));
      const text = JSON.stringify(pod.spec.template.spec.containers.map(({ env }) => env)).replaceAll("%2F", "/");
      const named = new Set([...text.matchAll(/\/run\/secrets\/[\w.]+/g)].map(([path]) => path));
      return [
        ...[...named].filter((path) => !files.includes(path)).map((path) => `${pod.metadata.name} lacks ${path}`),
        ...files.filter((path) => !named.has(path)).map((path) => `${pod.metadata.name} has ${path} for nothing`),
      ];
    }),
  counterexamples: {
    "a file that is not mounted": (all) => container(all).env.push({ name: "X_FILE", value: "/run/secrets/X" }),
    "a file that no setting names": (all) =>
      container(all).env.splice(
        container(all).env.findIndex(({ name }) => name === "FACT_KEY_FILE"),
        1,
      ),
  },
};

type Reference = { secret: string; key: string };

/** Those of pods, of PostgreSQL's roles, and of the backups. */
function referencesIn(all: Manifest[]): Reference[] {
  const pods = withPods(all).flatMap((pod: Workload) =>
    sourcesOf(pod).flatMap(({ secret }) => secret.items.map(({ key }) => ({ secret: secret.name, key }))),
  );
  const text = JSON.stringify(all.filter(({ kind }) => kind === "Cluster" || kind === "ObjectStore"));
  const roles = [...text.matchAll(/"(?:passwordSecret|secret)":\{"name":"([^"]+)"/g)];
  const stores = [...text.matchAll(/"(?:accessKeyId|secretAccessKey)":\{"key":"([^"]+)","name":"([^"]+)"/g)];
  return [
    ...pods,
    ...roles.map(([, secret = ""]) => ({ secret, key: "password" })),
    ...stores.map(([, key = "", secret = ""]) => ({ secret, key })),
  ];
}

/** The rows | `name` | `KEY`, `KEY` | of its table; SERVICE stands for every service. */
const documentedSecrets = (readme: string) =>
  [...readme.matchAll(/^\| `([\w-]+)` \| `([^|]+)` \|/gm)].map(([, name = "", keys = ""]) => ({
    name: new RegExp(`^${name.replace("SERVICE", "[a-z]+")}$`),
    keys: keys.split("`, `"),
  }));
