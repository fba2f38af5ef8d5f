import { k8s } from "cdk8s-plus-34";
import type { Construct } from "constructs";
import { CLUSTER } from "./cluster.ts";
import type { Outsider } from "./deployment.ts";
import { partnerNetworks } from "./partners.ts";
import { INTERNAL_PORT, labelsOf } from "./pod.ts";

type Peer = k8s.NetworkPolicyPeer;
type From = k8s.NetworkPolicyIngressRule;
type To = k8s.NetworkPolicyEgressRule;

/** What a process may be reached by, and reach. The namespace denies everything else. */
export function processPolicy(
  scope: Construct,
  name: string,
  { httpPort, hasDatabase, calls }: { httpPort?: number | undefined; hasDatabase: boolean; calls: readonly Outsider[] },
): void {
  const fromIngress = httpPort === undefined ? [] : [from(namespace(CLUSTER.ingress.namespace), httpPort)];
  const toDatabase = hasDatabase ? [to(databaseOf(name), 5432)] : [];
  new k8s.KubeNetworkPolicy(scope, "network", {
    metadata: { name },
    spec: {
      podSelector: { matchLabels: labelsOf(name) },
      policyTypes: ["Ingress", "Egress"],
      ingress: [from(namespace(CLUSTER.monitoring.namespace), INTERNAL_PORT), ...fromIngress],
      egress: [DNS, to(BROKER, 4222), ...toDatabase, ...calls.map((outsider) => OUTSIDE[outsider])],
    },
  });
}

/** A job that prepares a database, or the broker, reaches that alone. */
export function jobPolicy(scope: Construct, name: string, prepared: "broker" | { databaseOf: string }): void {
  new k8s.KubeNetworkPolicy(scope, "job-network", {
    metadata: { name },
    spec: {
      podSelector: { matchLabels: labelsOf(name) },
      policyTypes: ["Ingress", "Egress"],
      egress: [DNS, prepared === "broker" ? to(BROKER, 4222) : to(databaseOf(prepared.databaseOf), 5432)],
    },
  });
}

/** A database: its service, its other instances, its operator; outside, the Kubernetes API and the store of the backups. */
export function databasePolicy(scope: Construct, service: string): void {
  const own = databaseOf(service);
  const operator = namespace(CLUSTER.postgres.operatorNamespace);
  new k8s.KubeNetworkPolicy(scope, "database-network", {
    metadata: { name: `${service}-db` },
    spec: {
      podSelector: own.podSelector ?? {},
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        from({ podSelector: { matchLabels: labelsOf(service) } }, 5432),
        from({ podSelector: { matchLabels: labelsOf(`${service}-migrate`) } }, 5432),
        from(own, 5432, 8000),
        from(operator, 5432, 8000),
        from(namespace(CLUSTER.monitoring.namespace), 9187),
      ],
      egress: [DNS, to(own, 5432, 8000), to({ ipBlock: { cidr: "0.0.0.0/0" } }, 443, 6443)],
    },
  });
}

/** The broker's three: processes of this namespace, and each other. */
export function brokerPolicy(scope: Construct): void {
  const clients = { podSelector: { matchLabels: { "app.kubernetes.io/part-of": CLUSTER.namespace } } };
  new k8s.KubeNetworkPolicy(scope, "broker-network", {
    metadata: { name: "nats" },
    spec: {
      podSelector: BROKER.podSelector ?? {},
      policyTypes: ["Ingress", "Egress"],
      ingress: [from(clients, 4222), from(BROKER, 6222), from(namespace(CLUSTER.monitoring.namespace), 7777)],
      egress: [DNS, to(BROKER, 6222)],
    },
  });
}

/** Nothing is allowed that no other policy allows. */
export function defaultDeny(scope: Construct): void {
  new k8s.KubeNetworkPolicy(scope, "default-deny", {
    metadata: { name: "default-deny" },
    spec: { podSelector: {}, policyTypes: ["Ingress", "Egress"] },
  });
}

/** As the operator of PostgreSQL labels the pods of a database, and the chart those of the broker. */
const databaseOf = (service: string): Peer => ({
  podSelector: { matchLabels: { "cnpg.io/cluster": `${service}-db` } },
});
const BROKER: Peer = { podSelector: { matchLabels: { "app.kubernetes.io/name": "nats" } } };
const namespace = (name: string): Peer => ({
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } },
});

const from = (peer: Peer, ...ports: number[]): From => ({ from: [peer], ports: ports.map(tcp) });
const to = (peer: Peer, ...ports: number[]): To => ({ to: [peer], ports: ports.map(tcp) });
const tcp = (port: number): k8s.NetworkPolicyPort => ({ protocol: "TCP", port: k8s.IntOrString.fromNumber(port) });

const DNS: To = {
  to: [{ ...namespace("kube-system"), podSelector: { matchLabels: { "k8s-app": "kube-dns" } } }],
  ports: [
    { protocol: "UDP", port: k8s.IntOrString.fromNumber(53) },
    { protocol: "TCP", port: k8s.IntOrString.fromNumber(53) },
  ],
};

/** Every range that is not the public internet, of both protocols: a merchant's URL must not lead into the cluster. */
const NOT_PUBLIC = {
  v4: [
    ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
    ...["192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4"],
  ],
  v6: ["::1/128", "fc00::/7", "fe80::/10", "ff00::/8"],
};

const OUTSIDE: Record<Outsider, To> = {
  bank: { to: partnerNetworks().map((cidr) => ({ ipBlock: { cidr } })), ports: [tcp(443)] },
  mail: to({ ipBlock: { cidr: CLUSTER.mail.network } }, CLUSTER.mail.port),
  merchants: {
    to: [
      { ipBlock: { cidr: "0.0.0.0/0", except: NOT_PUBLIC.v4 } },
      { ipBlock: { cidr: "::/0", except: NOT_PUBLIC.v6 } },
    ],
    ports: [443, 8443].map(tcp),
  },
};
