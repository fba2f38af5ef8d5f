/** What is recorded of the traces that begin here, by the names of OpenTelemetry; a continued trace is recorded if it was begun so. */
const SAMPLERS = ["parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"] as const;
export type TracingSettings = { sampler: (typeof SAMPLERS)[number]; ratio: number };

/**
 * The standard settings of traces that OpenTelemetry's exporter does not read itself. Undefined unless it is set where to send
 * them. Throws for a value that would record something else than what was meant.
 */
export function tracingSettings(environment = process.env): TracingSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: protocol } = environment;
  if (!endpoint) return undefined;
  if (!/^https?:/.test(URL.parse(endpoint)?.protocol ?? ""))
    throw new Error("OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL");
  if (protocol && protocol !== "http/json") throw new Error("OTEL_EXPORTER_OTLP_PROTOCOL: only http/json is supported");
  const name = environment.OTEL_TRACES_SAMPLER || "parentbased_always_on";
  const sampler = SAMPLERS.find((each) => each === name);
  if (!sampler) throw new Error(`OTEL_TRACES_SAMPLER must be one of ${SAMPLERS.join(", ")}`);
  const ratio = Number(environment.OTEL_TRACES_SAMPLER_ARG || 1);
  if (!(ratio >= 0 && ratio <= 1)) throw new Error("OTEL_TRACES_SAMPLER_ARG must be a ratio between 0 and 1");
  return { sampler, ratio };
}
