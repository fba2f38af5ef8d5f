import { loadConfig, Port } from "@collect/runtime";
import { z } from "zod";

export const Config = z.object({
  /** The broker of the system to operate; the local stack's unless said otherwise. */
  NATS_URL: z.string().optional(),
  /** The port that the local stack was given for its broker. */
  NATS_PORT: Port.default(4422),
});

export function natsUrl(): string {
  const { NATS_URL, NATS_PORT } = loadConfig(Config, process.env);
  return NATS_URL ?? `nats://127.0.0.1:${NATS_PORT}`;
}
