import { z } from "zod";
import { Port } from "./config.ts";

/** Together with the time in which components stop, it stays below the 30 seconds after which a supervisor kills the process. */
const SHUTDOWN_DELAY_MAX_MS = 10_000;

/** The settings of every process, to be spread into its own. */
export const PROCESS_SETTINGS = {
  /** Where /livez, /readyz and /metrics are; without a port they are nowhere. Only probes and Prometheus should reach it. */
  INTERNAL_PORT: Port.optional(),
  INTERNAL_HOST: z.string().default("127.0.0.1"),
  /** How long an HTTP server goes on serving after SIGTERM, until the load balancer in front has seen that it is not ready. */
  SHUTDOWN_DELAY_MS: z.coerce.number().int().min(0).max(SHUTDOWN_DELAY_MAX_MS).default(0),
};
export type ProcessSettings = z.infer<z.ZodObject<typeof PROCESS_SETTINGS>>;
