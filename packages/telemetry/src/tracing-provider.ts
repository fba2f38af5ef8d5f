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

const SEND_EVERY_MS = 1_000;

/** Spans of this service, sampled as set, on their way to the collector: at most 2,048 wait, and further ones are dropped. */
export const createProvider = (service: string, settings: TracingSettings): TracerProvider =>
  new TracerProvider({
    sampler: new ParentBasedSampler({ root: rootOf(settings) }),
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": service, "service.namespace": "collect" }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: SEND_EVERY_MS }),
    ],
  });

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
