import { z } from "zod";

/** The settings of every process that is on the bus, to be spread into its own. */
export const BUS_SETTINGS = {
  /** `tls://…` where the connection leaves the machine. The servers of a cluster are separated by commas. */
  NATS_URL: z.string().min(1),
  /** On how many servers of a cluster each message is stored before it is acknowledged. */
  NATS_REPLICAS: z.enum(["1", "3", "5"]).default("1").transform(Number),
  /** The private key of this process's user of the broker. */
  NATS_NKEY_SEED: z.string().regex(/^SU[A-Z2-7]{56}$/, "must be the seed of a user's nkey"),
  /** Files: the authority that signed the broker's certificate, if the system does not know it; and a certificate of one's own. */
  NATS_CA: z.string().optional(),
  NATS_CERT: z.string().optional(),
  NATS_KEY: z.string().optional(),
};

/** Of every process that publishes facts. */
export const PUBLISHER_SETTINGS = {
  ...BUS_SETTINGS,
  /** Into how many subjects the facts of a mode are spread, by merchant. It can differ between the replicas of a service. */
  NATS_PARTITIONS: z.coerce.number().int().min(1).max(64).default(1),
};

/** A keyring by which services prove messages to each other: the first key signs, and all verify. */
export const MacKeys = z
  .string()
  .regex(/^\w{1,32}:[0-9a-f]{64}(,\w{1,32}:[0-9a-f]{64})*$/, "must be id:key[,id:key], keys of 64 hexadecimal digits");
