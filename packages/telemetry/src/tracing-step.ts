import type { Attributes, Span, SpanKind, SpanStatusCode } from "@opentelemetry/api";

export type { Span };

/** One step of a trace. Names and attributes follow OpenTelemetry's semantic conventions; our own attributes begin with `collect.`. */
export type Step = { name: string; kind: keyof typeof SpanKind; attributes?: Attributes };

/** Made only where it may be recorded. */
export type MakeStep = () => Step;

/** The span is undefined if the step is not recorded. */
export type Work<Result> = (span?: Span) => Promise<Result>;

/** A place in a trace that is recorded, as W3C's `traceparent`. It can be kept with work, or sent with a message. */
export type Trace = string;

const ERROR: SpanStatusCode.ERROR = 2;

/** The step failed. A code, and never an error's text: that can contain what a person has entered. */
export function fail(span: Span | undefined, type: string): void {
  span?.setAttribute("error.type", type).setStatus({ code: ERROR });
}
