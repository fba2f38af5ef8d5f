import { setTimeout as sleep } from "node:timers/promises";
import { context, DiagLogLevel, diag, type Tracer } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TracingSettings } from "./settings.ts";

type Log = { warn(fields: object, message: string): void };

export type Recorder = {
  tracer: Tracer;
  /** Logs what the SDK complains about, for example that spans cannot be sent. */
  reportTo(log: Log): void;
  /** Sends what is left, and gives up after a while. */
  stop(): Promise<void>;
};

/** Of the ten seconds that a service has for its stop. */
const STOP_WITHIN_MS = 2_000;
const SEND_EVERY_MS = 1_000;

/** Imported only where traces are switched on: this is what loads OpenTelemetry's SDK. */
export function createRecorder(service: string, settings: TracingSettings): Recorder {
  const provider = new TracerProvider({
    sampler: new ParentBasedSampler({ root: rootOf(settings) }),
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": service, "service.namespace": "collect" }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: SEND_EVERY_MS }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return {
    tracer: provider.getTracer("collect"),
    reportTo(log) {
      const warn = (message: string, ...details: unknown[]) => log.warn({ part: "traces", details }, message);
      const ignore = () => {};
      diag.setLogger(
        { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
        { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
      );
    },
    async stop() {
      const waited = new AbortController();
      const sent = provider.shutdown().catch(() => {});
      await Promise.race([sent, sleep(STOP_WITHIN_MS, undefined, { signal: waited.signal }).catch(() => {})]);
      waited.abort();
    },
  };
}

function rootOf({ sampler, ratio }: TracingSettings) {
  switch (sampler) {
    case "parentbased_always_on":
      return new AlwaysOnSampler();
    case "parentbased_always_off":
      return new AlwaysOffSampler();
    case "parentbased_traceidratio":
      return new TraceIdRatioBasedSampler(ratio);
  }
}
