import {
  type Context,
  context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";

/** A place in a trace that is recorded, as W3C's `traceparent`. It can be kept with work, or sent with a message. */
export type Trace = string;

const HEADER = "traceparent";
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/;

type Headers = { get(name: string): string; set(name: string, value: string): void };

/** The trace that a message of our own bus belongs to. What strangers send is never read. */
export const traceOf = (headers: Pick<Headers, "get"> | undefined): Trace | undefined =>
  headers?.get(HEADER) || undefined;

/** Adds the current trace to a message for one of our services. */
export function addTrace<Carrier extends Pick<Headers, "set">>(headers: Carrier): Carrier {
  const trace = activeTrace();
  if (trace) headers.set(HEADER, trace);
  return headers;
}

/** Undefined if nothing is recorded. */
export function activeTrace(): Trace | undefined {
  const span = trace.getSpanContext(context.active());
  return span && span.traceFlags & TraceFlags.SAMPLED ? `00-${span.traceId}-${span.spanId}-01` : undefined;
}

/** The fields of a log line that lead to its trace; none outside of one. */
export function traceFields(): object {
  const span = trace.getSpanContext(context.active());
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/** Runs the listener in the trace in which it is added, and not in that of whatever calls it. */
export const inThisTrace = <Listener>(listener: Listener): Listener => context.bind(context.active(), listener);

export function contextOf(text: Trace | undefined): Context {
  const span = spanOf(text);
  return span ? inside(span) : ROOT_CONTEXT;
}

export const inside = (span: Span | SpanContext): Context =>
  "spanContext" in span ? trace.setSpan(ROOT_CONTEXT, span) : trace.setSpanContext(ROOT_CONTEXT, span);

/** One for each place. */
export const linksTo = (traces: readonly (Trace | undefined)[]): Link[] =>
  [...new Set(traces)].flatMap((text) => {
    const span = spanOf(text);
    return span ? [{ context: span }] : [];
  });

function spanOf(text: Trace | undefined): SpanContext | undefined {
  const [, traceId = "", spanId = ""] = TRACEPARENT.exec(text ?? "") ?? [];
  const span = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(span) ? span : undefined;
}

/** A code, and never an error's text: that can contain what a person has entered. */
export function fail(span: Span | undefined, type: string): void {
  span?.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
}
