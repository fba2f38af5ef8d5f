import { loadConfig, Port } from "@collect/runtime";
import { z } from "zod";

export const Config = z.object({
  /** The broker of the system to operate. The default is the local stack's. */
  NATS_URL: z.string().optional(),
  /** The broker's port in the local stack. */
  NATS_PORT: Port.default(4422),
});

export function natsUrl(): string {
  const { NATS_URL, NATS_PORT } = loadConfig(Config, process.env);
  return NATS_URL ?? `nats://127.0.0.1:${NATS_PORT}`;
}
