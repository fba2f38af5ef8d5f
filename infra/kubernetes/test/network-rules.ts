import { first, type Manifest, selects, without, withPods } from "./manifests.ts";
import type { Rule } from "./rules.ts";

type Labels = Record<string, string>;
type Peer = {
  podSelector?: { matchLabels?: Labels };
  namespaceSelector?: object;
  ipBlock?: { cidr: string; except?: string[] };
};
type Side = { from?: Peer[]; to?: Peer[]; ports?: { port: number }[] };
type Policy = { name: string; pods: Labels; ingress: Side[]; egress: Side[] };

const policiesOf = (all: Manifest[]): Policy[] =>
  all
    .filter(({ kind }) => kind === "NetworkPolicy")
    .map(({ metadata, spec }) => ({
      name: metadata.name,
      pods: spec?.podSelector?.matchLabels ?? {},
      ingress: (spec?.ingress ?? []) as Side[],
      egress: (spec?.egress ?? []) as Side[],
    }));

/** The labels of all pods that there are: those of our processes and jobs, and as the operator and the chart label theirs. */
const podsOf = (all: Manifest[]): Labels[] => [
  ...withPods(all).map(({ spec }) => spec.template.metadata.labels),
  ...all.filter(({ kind }) => kind === "Cluster").map(({ metadata }) => ({ "cnpg.io/cluster": metadata.name })),
  { "app.kubernetes.io/name": "nats" },
];

export const policed: Rule = {
  name: "every pod has a network policy of its own, and every policy has pods",
  violations: (all) => {
    const own = policiesOf(all).filter(({ pods }) => Object.keys(pods).length > 0);
    const pods = podsOf(all);
    return [
      ...pods
        .filter((labels) => !own.some((policy) => selects(policy.pods, labels)))
        .map((labels) => `no policy for ${JSON.stringify(labels)}`),
      ...own
        .filter((policy) => !pods.some((labels) => selects(policy.pods, labels)))
        .map(({ name }) => `no pods for ${name}`),
    ];
  },
  counterexamples: {
    "no policy": without("NetworkPolicy"),
    "a policy for other labels": (all) =>
      Object.assign(first(all).spec.template.metadata.labels, { "app.kubernetes.io/name": "ledgers" }),
  },
};

export const denied: Rule = {
  name: "what no policy allows is denied, in and out",
  violations: (all) => {
    const types = all.find(({ kind, metadata }) => kind === "NetworkPolicy" && metadata.name === "default-deny")?.spec
      ?.policyTypes;
    const open = policiesOf(all).flatMap(({ name, ingress, egress }) =>
      [...ingress, ...egress].some(({ from, to, ports }) => !(from ?? to)?.length || !ports?.length)
        ? [`${name} allows everything`]
        : [],
    );
    return [...(String(types) === "Ingress,Egress" ? [] : ["nothing is denied"]), ...open];
  },
  counterexamples: {
    "no denial": without("NetworkPolicy", "default-deny"),
    "a rule without a peer": (all) => {
      const policy = all.find(({ kind, metadata }) => kind === "NetworkPolicy" && metadata.name === "ledger");
      Object.assign(policy?.spec ?? {}, { egress: [{ ports: [{ port: 443 }] }] });
    },
  },
};

const PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "127.0.0.0/8"];

export const outside: Rule = {
  name: "only webhooks reaches the whole internet, and no private address, and databases reach the Kubernetes API and the backups",
  violations: (all) =>
    policiesOf(all).flatMap(({ name, egress }) =>
      egress
        .flatMap(({ to, ports }) =>
          (to ?? []).map((peer) => ({ ...peer.ipBlock, ports: ports?.map(({ port }) => port) })),
        )
        .filter(({ cidr }) => cidr === "0.0.0.0/0" || cidr === "::/0")
        .filter(({ cidr, except = [], ports }) => {
          const isPublic =
            name === "webhooks" &&
            (cidr === "::/0" ? except.includes("fc00::/7") : PRIVATE.every((range) => except.includes(range)));
          return !isPublic && !(name.endsWith("-db") && String(ports) === "443,6443");
        })
        .map(({ cidr }) => `${name} reaches ${cidr}`),
    ),
  counterexamples: {
    "the metadata of the cloud": (all) => {
      const webhooks = policiesOf(all).find(({ name }) => name === "webhooks");
      const block = webhooks?.egress.flatMap(({ to }) => to ?? []).find(({ ipBlock }) => ipBlock)?.ipBlock;
      block?.except?.splice(block.except.indexOf("169.254.0.0/16"), 1);
    },
  },
};

export const mutual: Rule = {
  name: "whatever a pod may reach in the namespace lets it in",
  violations: (all) => {
    const policies = policiesOf(all);
    const pods = podsOf(all);
    const lets = (target: Labels, source: Labels, port: number) =>
      policies
        .filter((policy) => selects(policy.pods, target))
        .some(({ ingress }) =>
          ingress.some(
            ({ from, ports }) => ports?.some((each) => each.port === port) && from?.some((peer) => isIn(peer, source)),
          ),
        );
    return policies.flatMap(({ name, pods: sources, egress }) =>
      egress.flatMap(({ to, ports }) =>
        (to ?? []).filter(isOfNamespace).flatMap(({ podSelector }) => {
          const target = pods.find((labels) => selects(podSelector?.matchLabels ?? {}, labels));
          const refused = (ports ?? []).filter(({ port }) => !target || !lets(target, sources, port));
          return refused.map(({ port }) => `${name} may not reach ${JSON.stringify(podSelector)} at ${port}`);
        }),
      ),
    );
  },
  counterexamples: { "a database that lets only its service in": without("NetworkPolicy", "ledger-db") },
};

const isOfNamespace = ({ podSelector, namespaceSelector }: Peer) =>
  podSelector !== undefined && namespaceSelector === undefined;
const isIn = (peer: Peer, labels: Labels) =>
  isOfNamespace(peer) && selects(peer.podSelector?.matchLabels ?? {}, labels);
