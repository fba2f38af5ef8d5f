import type { Checks } from "@collect/telemetry";

/** Something that starts and stops with the service: a pool, a server, a consumer, a worker. */
export type Component = {
  name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Begins to send callers elsewhere, and serves those that come. Called at SIGTERM, SHUTDOWN_DELAY_MS before the first `stop`. */
  drain?(): void;
  /** What has to hold for the process to be ready, by the name that /readyz shows. */
  checks?: Checks;
};
