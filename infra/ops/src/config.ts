import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Broker, brokerOf } from "@collect/bus";
import { BUS_SETTINGS, loadConfig, Port } from "@collect/runtime";
import { z } from "zod";

export const Config = z.object({
  ...BUS_SETTINGS,
  /** The broker of the system to operate, and the operator's key for it. Without both: the local stack's. */
  NATS_URL: BUS_SETTINGS.NATS_URL.optional(),
  NATS_NKEY_SEED: BUS_SETTINGS.NATS_NKEY_SEED.optional(),
  /** The broker's port in the local stack, and the directory with its secrets. */
  NATS_PORT: Port.default(4422),
  LOCAL_DIRECTORY: z.string().default(join(import.meta.dirname, "../../../.local")),
  /** The private key that the operator signs with, if it is not the broker's. */
  OPERATOR_SEED: BUS_SETTINGS.NATS_NKEY_SEED.optional(),
});

export const operatorSeed = () => loadConfig(Config, process.env).OPERATOR_SEED;

const LocalSecrets = z.object({ nkey_seeds: z.object({ operator: z.string() }) });

export function brokerToOperate(): Broker {
  const config = loadConfig(Config, process.env);
  const { NATS_URL = `nats://127.0.0.1:${config.NATS_PORT}`, NATS_NKEY_SEED = localSeed(config.LOCAL_DIRECTORY) } =
    config;
  if (!NATS_NKEY_SEED || (config.NATS_URL && !config.NATS_NKEY_SEED))
    throw new Error(
      "there is no key for this broker. Start the local stack (npm start), or set NATS_URL and NATS_NKEY_SEED, an operator's key, for another broker.",
    );
  return brokerOf({ ...config, NATS_URL, NATS_NKEY_SEED });
}

/** Undefined before the local stack's first start. */
function localSeed(directory: string): string | undefined {
  try {
    const secrets = LocalSecrets.safeParse(JSON.parse(readFileSync(join(directory, "secrets.json"), "utf8")));
    return secrets.data?.nkey_seeds.operator;
  } catch {
    return undefined;
  }
}
