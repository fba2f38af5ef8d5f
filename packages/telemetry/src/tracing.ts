import {
  type Attributes,
  type Context,
  context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
} from "@opentelemetry/api";
import { tracingSettings } from "./settings.ts";
import { activeTrace, contextOf, fail, inside, linksTo, type Trace } from "./tracing-context.ts";
import type { Recorder } from "./tracing-sdk.ts";

/** One step of a trace. Names and attributes follow OpenTelemetry's semantic conventions; our own attributes begin with `collect.`. */
export type Step = { name: string; kind: keyof typeof SpanKind; attributes?: Attributes };
/** The span is undefined if the step is not recorded. */
type Work<Result> = (span?: Span) => Promise<Result>;

let recorder: Recorder | undefined;

/**
 * Records traces from now on, if `OTEL_EXPORTER_OTLP_ENDPOINT` is set; otherwise OpenTelemetry's SDK is not even loaded. Call it before anything
 * else is created. The tracer is known to this file alone: libraries that use OpenTelemetry's global one record nothing.
 */
export async function startTracing(service: string): Promise<void> {
  const settings = tracingSettings();
  if (!settings) return;
  const { createRecorder } = await import("./tracing-sdk.ts");
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
export const currentTrace = (): Trace | undefined => (recorder ? activeTrace() : undefined);

/** A step of the current trace; outside of one it is not recorded. */
export function inSpan<Result>(step: Step, work: Work<Result>): Promise<Result> {
  return currentTrace() ? record(context.active(), step, work) : work();
}

/** A step that continues this trace or, without one, begins one: whether that is sampled is decided here. */
export function inTrace<Result>(trace: Trace | undefined, step: Step, work: Work<Result>): Promise<Result> {
  return recorder ? record(contextOf(trace), step, work) : work();
}

/**
 * A step that does work of several traces at once: it continues the first of them and links to all. Without any it is not
 * recorded, and belongs to no trace: it may have been started from within the step before it.
 */
export function inSpanOf<Result>(
  traces: readonly (Trace | undefined)[],
  step: Step,
  work: Work<Result>,
): Promise<Result> {
  if (!recorder) return work();
  const links = linksTo(traces);
  const [first] = links;
  return first ? record(inside(first.context), { ...step, links }, work) : context.with(ROOT_CONTEXT, () => work());
}

async function record<Result>(
  parent: Context,
  { name, kind, ...options }: Step & { links?: Link[] },
  work: Work<Result>,
): Promise<Result> {
  const span = recorder?.tracer.startSpan(name, { kind: SpanKind[kind], ...options }, parent);
  if (!span?.isRecording()) return context.with(ROOT_CONTEXT, () => work());
  try {
    return await context.with(inside(span), () => work(span));
  } catch (error) {
    const { code, name } = Object(error);
    fail(span, String(code ?? name ?? "_OTHER"));
    throw error;
  } finally {
    span.end();
  }
}
