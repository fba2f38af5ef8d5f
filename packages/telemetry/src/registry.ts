import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** The metrics of this process. A metric without samples is not shown, so a process shows only what it does. */
const registry = new Registry();

type Definition<Label extends string> = { name: string; help: string; labels: readonly Label[] };

const declared: ReturnType<typeof declaredMetrics> = [];

/** Seconds: from what a statement takes to what the slowest deadline allows. */
const DURATIONS_S = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const histogram = <Label extends string>(definition: Definition<Label>, buckets: number[] = DURATIONS_S) =>
  new Histogram({ ...declare("histogram", definition), buckets });

export const counter = <Label extends string>(definition: Definition<Label>) =>
  new Counter(declare("counter", definition));

/** With `collect` it sets itself when metrics are read. */
export const gauge = <Label extends string>(definition: Definition<Label>, collect?: () => void) =>
  new Gauge({ ...declare("gauge", definition), ...(collect && { collect }) });

/** The event loop's delay is sampled ten times a second: each sample wakes the process. */
const EVENT_LOOP_EVERY_MS = 100;

let areDefaultsCollected = false;

/** From now on the metrics of Node and of the process, under prom-client's names: `nodejs_…`, `process_…`. */
export function collectProcessMetrics(): void {
  if (areDefaultsCollected) return;
  areDefaultsCollected = true;
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_EVERY_MS });
}

/** All samples, in Prometheus' text format. */
export async function readMetrics(): Promise<{ type: string; text: string }> {
  const metrics = (await registry.metrics()).split("\n\n");
  return { type: registry.contentType, text: `${metrics.filter(hasSamples).join("\n\n").trimEnd()}\n` };
}

const hasSamples = (text: string) => /^[^#]/m.test(text);

/** Those of this product, in the order in which they are declared. */
export function declaredMetrics(): { name: string; type: string; labels: readonly string[]; help: string }[] {
  return declared;
}

function declare<Label extends string>(type: string, { name, help, labels }: Definition<Label>) {
  const metric = { name: `collect_${name}`, help, labelNames: labels, registers: [registry] };
  declared.push({ name: metric.name, type, labels, help });
  return metric;
}
