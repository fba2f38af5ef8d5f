import type { Checks, Measurements } from "@collect/telemetry";

/** Something that starts and stops with the service: a pool, a server, a consumer, a worker. */
export type Component = {
  name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Begins to send callers elsewhere, and serves those that come. Called at SIGTERM, SHUTDOWN_DELAY_MS before the first `stop`. */
  drain?(): void;
  /** What has to hold for the process to be ready, by the name that /readyz shows. */
  checks?: Checks;
  /** What is asked of the database or the broker when metrics are read, by the name that tells whether it succeeded. */
  measurements?: Measurements;
};

/** A component that only measures. */
export const measuring = (measurements: Measurements): Component => ({
  name: "measurements",
  start: async () => {},
  stop: async () => {},
  measurements,
});
