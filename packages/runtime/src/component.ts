import type { Checks, Measurements } from "@collect/telemetry";

/** Something that starts and stops with the service: a pool, a server, a consumer, a worker. */
export type Component = {
  name: string;
  start(): Promise<void>;
  /** Whether `start` failed only because what it needs is not there yet, so that it is called again until it succeeds. */
  waitsOut?(error: unknown): boolean;
  stop(): Promise<void>;
  /** Begins to send callers elsewhere, and serves those that come. Called at SIGTERM, SHUTDOWN_DELAY_MS before the first `stop`. */
  drain?(): void;
  /** Whether it has what it needs of others, by the name that /readyz and metrics show; no reason to be unready. */
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
