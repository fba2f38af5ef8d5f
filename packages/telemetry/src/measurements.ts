import { measurementOk } from "./metrics.ts";
import { type Check, type CheckState, createReadiness } from "./readiness.ts";

/** Asks the database or the broker, and sets its gauges. Absent are better than old: they are emptied when it fails. */
export type Measurement = { gauges: { reset(): void }[]; measure: Check };
export type Measurements = Record<string, Measurement>;

/** However often metrics are read, nothing is measured more often than this. */
const REMEMBERED_MS = 5_000;

/** Measures when it is called, each measurement at most every five seconds and for at most two. */
export function createMeasuring(
  measurements: Measurements,
  onChange: (name: string, state: CheckState, error: unknown) => void,
  { rememberedMs = REMEMBERED_MS } = {},
): () => Promise<void> {
  const named = Object.entries(measurements);
  const checks = Object.fromEntries(named.map(([name, { measure }]) => [name, measure]));
  const read = createReadiness({ checks, onChange, rememberedMs });
  return async () => {
    const states = await read();
    for (const [measurement, { gauges }] of named) {
      const isOk = states[measurement]?.status === "ok";
      measurementOk.set({ measurement }, isOk ? 1 : 0);
      if (!isOk) for (const gauge of gauges) gauge.reset();
    }
  };
}
