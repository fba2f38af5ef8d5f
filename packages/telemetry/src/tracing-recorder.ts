import { setTimeout as sleep } from "node:timers/promises";
import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import type { TracingSettings } from "./settings.ts";
import { createProvider } from "./tracing-provider.ts";
import { fail, type MakeStep, type Step, type Trace, type Work } from "./tracing-step.ts";

/** Of the ten seconds that a service has for its stop. */
const STOP_WITHIN_MS = 2_000;

export type Recorder = ReturnType<typeof createRecorder>;

/**
 * What `tracing.ts` does where traces are on; importing this file is what loads OpenTelemetry. The tracer is known here alone, so
 * libraries that use OpenTelemetry's global one record nothing.
 */
export function createRecorder(service: string, settings: TracingSettings) {
  const provider = createProvider(service, settings);
  const tracer = provider.getTracer("collect");
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

  async function record<Result>(
    parent: Context,
    { name, kind, ...options }: Step & { links?: Link[] },
    work: Work<Result>,
  ): Promise<Result> {
    const span = tracer.startSpan(name, { kind: SpanKind[kind], ...options }, parent);
    if (!span.isRecording()) return context.with(ROOT_CONTEXT, () => work());
    try {
      return await context.with(trace.setSpan(ROOT_CONTEXT, span), () => work(span));
    } catch (error) {
      const { code, name } = Object(error);
      fail(span, String(code ?? name ?? "_OTHER"));
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    current,
    inSpan: <Result>(step: MakeStep, work: Work<Result>): Promise<Result> =>
      current() ? record(context.active(), step(), work) : work(),
    inTrace: <Result>(given: Trace | undefined, step: MakeStep, work: Work<Result>): Promise<Result> =>
      record(contextOf(spanOf(given)), step(), work),
    inSpanOf<Result>(traces: readonly (Trace | undefined)[], step: MakeStep, work: Work<Result>): Promise<Result> {
      const links = linksTo(traces);
      const [first] = links;
      return first
        ? record(contextOf(first.context), { ...step(), links }, work)
        : context.with(ROOT_CONTEXT, () => work());
    },
    bind: <Listener>(listener: Listener): Listener => context.bind(context.active(), listener),
    fields(): object {
      const span = trace.getSpanContext(context.active());
      return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
    },
    reportTo,
    /** Sends what is left, and gives up after a while. */
    async stop(): Promise<void> {
      const waited = new AbortController();
      const sent = provider.shutdown().catch(() => {});
      await Promise.race([sent, sleep(STOP_WITHIN_MS, undefined, { signal: waited.signal }).catch(() => {})]);
      waited.abort();
    },
  };
}

function current(): Trace | undefined {
  const span = trace.getSpanContext(context.active());
  return span && span.traceFlags & TraceFlags.SAMPLED ? `00-${span.traceId}-${span.spanId}-01` : undefined;
}

const contextOf = (span: SpanContext | undefined): Context =>
  span ? trace.setSpanContext(ROOT_CONTEXT, span) : ROOT_CONTEXT;

/** One for each place. */
const linksTo = (traces: readonly (Trace | undefined)[]): Link[] =>
  [...new Set(traces)].flatMap((text) => {
    const span = spanOf(text);
    return span ? [{ context: span }] : [];
  });

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/;

function spanOf(text: Trace | undefined): SpanContext | undefined {
  const [, traceId = "", spanId = ""] = TRACEPARENT.exec(text ?? "") ?? [];
  const span = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(span) ? span : undefined;
}

/** Logs what the SDK complains about, for example that spans cannot be sent. */
function reportTo(log: { warn(fields: object, message: string): void }): void {
  const warn = (report: string) => log.warn({ part: "traces", report }, "OpenTelemetry reports a problem");
  const ignore = () => {};
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
