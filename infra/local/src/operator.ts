import { type Bus, connectBus } from "@collect/bus";
import { createLogger } from "@collect/runtime";
import { loadSecrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";

/** Connects to the running stack's broker as its operator. */
export async function connectOperator({ LOCAL_DIRECTORY, NATS_URL, NATS_PORT }: Settings): Promise<Bus> {
  const { operator: seed } = (await loadSecrets(LOCAL_DIRECTORY)).nkey_seeds;
  const url = NATS_URL ?? `nats://127.0.0.1:${NATS_PORT}`;
  return connectBus({ url, seed, name: "operator", log: createLogger("operator", "silent") });
}
