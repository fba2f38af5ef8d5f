import type { BrokerCertificate } from "./broker-users.ts";

export type BrokerCluster = {
  /** Where this server waits for the others: `0.0.0.0:6222`. */
  listen: string;
  /** Where all servers are for each other, this one too: `nats-0:6222`. */
  servers: string[];
  /** By which servers know each other. No client has it. */
  password: string;
  /** With it the routes are encrypted, and each end proves who it is. `ca` signed the certificates of all servers. */
  certificate?: BrokerCertificate & { ca?: string };
};

/**
 * One server's part in a cluster, in the broker's configuration language: the file that the server is started with, beside
 * `nats.conf`, which it includes.
 */
export function brokerCluster({ listen, servers, password, certificate }: BrokerCluster): string {
  if (!/^\w{22,}$/.test(password))
    throw new Error(
      "NATS_CLUSTER_PASSWORD, which a cluster's servers know each other by, has 22 letters and digits or more",
    );
  for (const server of servers)
    if (!/^[\w.-]+:\d+$/.test(server)) throw new Error(`${server} is no server of a cluster: it is a name and a port`);
  const quoted = (text: string) => JSON.stringify(text);
  return `${[
    "# Generated: nothing is edited here by hand. It contains a password.",
    "include ./nats.conf",
    "cluster {",
    "  name: collect",
    `  listen: ${quoted(listen)}`,
    `  authorization { user: route, password: ${quoted(password)}, timeout: 10 }`,
    ...(certificate ? [`  ${tls(certificate)}`] : []),
    "  routes: [",
    ...servers.map((server) => `    ${quoted(`nats://route:${password}@${server}`)}`),
    "  ]",
    "}",
  ].join("\n")}\n`;

  function tls({ cert, key, ca }: BrokerCertificate & { ca?: string }): string {
    const authority = ca ? `, ca_file: ${quoted(ca)}` : "";
    return `tls { cert_file: ${quoted(cert)}, key_file: ${quoted(key)}${authority}, verify: true, timeout: 10 }`;
  }
}
