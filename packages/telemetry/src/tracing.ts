import { tracingSettings } from "./settings.ts";
import type { Recorder } from "./tracing-recorder.ts";
import type { MakeStep, Trace, Work } from "./tracing-step.ts";

/** Undefined unless traces are on: then we load nothing of OpenTelemetry, and each function here does next to nothing. */
let recorder: Recorder | undefined;

/** Records traces from now on, if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Call it before anything else is created. */
export async function startTracing(service: string): Promise<void> {
  const settings = tracingSettings();
  if (!settings) return;
  const { createRecorder } = await import("./tracing-recorder.ts");
  recorder = createRecorder(service, settings);
}

/** Traces as a component of a service. Started first, so that it is stopped last: then it sends what is left, within a bound. */
export function traces(log: Parameters<Recorder["reportTo"]>[0]) {
  return {
    name: "traces",
    start: async () => recorder?.reportTo(log),
    stop: async () => recorder?.stop(),
  };
}

export const isTracing = (): boolean => recorder !== undefined;

/** Where in a trace the calling code runs, for work that continues elsewhere. Undefined if nothing is recorded here. */
export const currentTrace = (): Trace | undefined => recorder?.current();

/** A step of the current trace; outside of one it is not recorded. */
export const inSpan = <Result>(step: MakeStep, work: Work<Result>): Promise<Result> =>
  recorder ? recorder.inSpan(step, work) : work();

/** A step that continues this trace or, without one, begins one: whether that is sampled is decided here. */
export const inTrace = <Result>(trace: Trace | undefined, step: MakeStep, work: Work<Result>): Promise<Result> =>
  recorder ? recorder.inTrace(trace, step, work) : work();

/**
 * A step that does work of several traces at once: it continues the first of them and links to all. Without any it is not
 * recorded, and belongs to no trace: it may have been started from within the step before it.
 */
export const inSpanOf = <Result>(
  traces: readonly (Trace | undefined)[],
  step: MakeStep,
  work: Work<Result>,
): Promise<Result> => (recorder ? recorder.inSpanOf(traces, step, work) : work());

/** Runs the listener in the trace in which it is added, and not in that of whatever calls it. */
export const inThisTrace = <Listener>(listener: Listener): Listener => recorder?.bind(listener) ?? listener;

/** The fields of a log line that lead to its trace; none outside of one. */
export const traceFields = (): object => recorder?.fields() ?? {};

const HEADER = "traceparent";
type Headers = { get(name: string): string; set(name: string, value: string): void };

/** The trace that a message of our own bus belongs to. What strangers send is never read. */
export const traceOf = (headers: Pick<Headers, "get"> | undefined): Trace | undefined =>
  headers?.get(HEADER) || undefined;

/** Adds the current trace to a message for one of our services. */
export function addTrace<Carrier extends Pick<Headers, "set">>(headers: Carrier): Carrier {
  const trace = currentTrace();
  if (trace) headers.set(HEADER, trace);
  return headers;
}
