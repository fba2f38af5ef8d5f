export { createInternalServer, type Page, type Pages } from "./internal-server.ts";
export { createMeasuring, type Measurement, type Measurements } from "./measurements.ts";
export * from "./metrics.ts";
export { watchPool } from "./pools.ts";
export { type Check, type CheckState, type Checks, createReadiness, NotReady, type Readiness } from "./readiness.ts";
export { collectProcessMetrics, declaredMetrics, readMetrics } from "./registry.ts";
