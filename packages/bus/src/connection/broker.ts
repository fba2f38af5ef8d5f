import { isIP } from "node:net";
import { type ConnectionOptions, nkeyAuthenticator } from "nats";

/** Where the broker is and how to be let in. */
export type Broker = {
  /** One server, or those of a cluster, separated by commas. */
  url: string;
  /** On how many servers the streams are stored; one by default. */
  replicas?: number;
  /** Into how many subjects the facts of a mode are spread, by merchant; one by default. */
  partitions?: number;
  /** The private key of the broker's user: an nkey seed. */
  seed: string;
  /** Files. The authority that signed the broker's certificate, if the system does not know it, and one's own certificate. */
  tls?: { ca?: string; cert?: string; key?: string };
};

/** The settings of every process on the bus, as packages/runtime declares them. */
type Settings = {
  NATS_URL: string;
  NATS_REPLICAS?: number | undefined;
  NATS_PARTITIONS?: number | undefined;
  NATS_NKEY_SEED: string;
  NATS_CA?: string | undefined;
  NATS_CERT?: string | undefined;
  NATS_KEY?: string | undefined;
};

export function brokerOf({
  NATS_URL,
  NATS_REPLICAS = 1,
  NATS_PARTITIONS = 1,
  NATS_NKEY_SEED,
  NATS_CA,
  NATS_CERT,
  NATS_KEY,
}: Settings): Broker {
  const tls = {
    ...(NATS_CA && { ca: NATS_CA }),
    ...(NATS_CERT && { cert: NATS_CERT }),
    ...(NATS_KEY && { key: NATS_KEY }),
  };
  const isEncrypted = Object.keys(tls).length > 0;
  const streams = { replicas: NATS_REPLICAS, partitions: NATS_PARTITIONS };
  return { url: NATS_URL, ...streams, seed: NATS_NKEY_SEED, ...(isEncrypted && { tls }) };
}

/** `tls://` encrypts, as do certificates. Credentials in the URL would be ignored, so they are refused. */
export function connectionOptions({ url, seed, tls }: Broker): ConnectionOptions {
  const servers = url.split(",").map((server) => server.trim());
  const urls = servers.flatMap((server) => URL.parse(server) ?? []);
  if (urls.length < servers.length) throw new Error("NATS_URL is not an address, or several separated by commas");
  if (urls.some(({ username, password }) => username || password))
    throw new Error(
      "NATS_URL contains credentials, which nothing uses: a process proves who it is with NATS_NKEY_SEED",
    );
  const isEncrypted = tls !== undefined || urls.some(({ protocol }) => protocol === "tls:");
  // The client compares a certificate with names only; instead of an address it would take one for `localhost`.
  if (isEncrypted && urls.some(({ hostname }) => isIP(hostname.replace(/^\[|\]$/g, ""))))
    throw new Error("NATS_URL has an address instead of a name: the broker's certificate is checked against its name");
  return {
    servers,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    ...(isEncrypted && {
      tls: {
        ...(tls?.ca && { caFile: tls.ca }),
        ...(tls?.cert && { certFile: tls.cert }),
        ...(tls?.key && { keyFile: tls.key }),
      },
    }),
  };
}
