import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startOtlpReceiver } from "@collect/servers";
import { trace } from "@opentelemetry/api";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  addTrace,
  currentTrace,
  inSpan,
  inSpanOf,
  inTrace,
  startTracing,
  traceFields,
  traceOf,
  traces,
} from "../src/index.ts";
import { tracingSettings } from "../src/settings.ts";

const collector = await startOtlpReceiver();
const component = traces({ warn: () => {} });
const step = (name: string) => () => ({ name, kind: "INTERNAL" }) as const;
const attributesOf = (name: string) => JSON.stringify(named(name)?.attributes);
const named = (name: string) => collector.spans.find((span) => span.name === name);

/** Two traces that began apart, as the messages of a batch bring them. */
let one: string | undefined;
let other: string | undefined;

beforeAll(async () => {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  await startTracing("test");
  await component.start();
  one = await inTrace(undefined, step("one"), async () => currentTrace());
  other = await inTrace(undefined, step("other"), async () => currentTrace());
  await inSpanOf([one, undefined, other, one], step("batch"), async () => {
    await inSpan(step("part"), async () => {});
    await inSpanOf([undefined], step("next batch"), () => inSpan(step("its part"), async () => {}));
  });
  await inSpanOf([undefined], step("alone"), async () => {});
  await inSpan(step("outside"), async () => {});
  await inTrace("00-not-a-trace-01", step("unreadable"), async () => {});
  await inTrace(undefined, step("failed"), async () => {
    throw Object.assign(new Error("Ada Obi is not unique"), { code: "23505" });
  }).catch(() => {});
  trace.getTracer("a library").startActiveSpan("of a library", (span) => span.end());
  await component.stop();
});
afterAll(() => collector.stop());

test("a batch continues the first trace of its messages, and links to each of them once", () => {
  const [batch, links] = [named("batch"), [named("one")?.spanId, named("other")?.spanId]];
  expect([batch?.traceId, batch?.parentSpanId]).toEqual([named("one")?.traceId, named("one")?.spanId]);
  expect(batch?.links?.map(({ spanId }) => spanId)).toEqual(links);
  expect(named("part")?.parentSpanId).toBe(batch?.spanId);
});

test("a batch without a trace is not recorded, and not part of the batch before it", () => {
  for (const name of ["next batch", "its part", "alone", "outside"]) expect(named(name)).toBeUndefined();
});

test("of an error its code is recorded, and never its text", () => {
  expect(attributesOf("failed")).toContain("23505");
  expect(JSON.stringify(collector.spans)).not.toContain("Ada Obi");
});

test("libraries that use OpenTelemetry record nothing", () => {
  expect(named("failed")).toBeDefined();
  expect(named("of a library")).toBeUndefined();
});

test("what is not a trace begins a new one", () => {
  expect(named("unreadable")).toMatchObject({ traceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(named("unreadable")?.parentSpanId).toBeUndefined();
});

test("a message carries the trace in which it is sent, and outside of one nothing", async () => {
  const sent = new Map<string, string>();
  const headers = {
    get: (name: string) => sent.get(name) ?? "",
    set: (name: string, value: string) => sent.set(name, value),
  };
  addTrace(headers);
  expect([sent.size, traceOf(headers), traceFields()]).toEqual([0, undefined, {}]);
  const fields = await inTrace(one, step("sent"), async () => {
    addTrace(headers);
    return traceFields();
  });
  const [, trace_id, span_id] = traceOf(headers)?.split("-") ?? [];
  expect(fields).toEqual({ trace_id, span_id });
  expect(trace_id).toBe(one?.split("-")[1]);
});

test.each([
  ["a protocol that is not spoken", { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }],
  ["a sampler that does not exist", { OTEL_TRACES_SAMPLER: "parentbased_traceidration" }],
  ["a ratio above one", { OTEL_TRACES_SAMPLER_ARG: "10" }],
  ["a ratio that is no number", { OTEL_TRACES_SAMPLER_ARG: "1%" }],
  ["an endpoint without a scheme", { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }],
])("%s is refused, and without an endpoint ignored", (_what, wrong) => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
  expect(() => tracingSettings({ ...endpoint, ...wrong })).toThrow(Object.keys(wrong)[0]);
  expect(tracingSettings({ ...wrong, OTEL_EXPORTER_OTLP_ENDPOINT: "" })).toBeUndefined();
});

test("everything is recorded unless a share is set", () => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
  expect(tracingSettings(environment)).toEqual({ sampler: "parentbased_always_on", ratio: 1 });
  const share = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.01" };
  expect(tracingSettings({ ...environment, ...share })).toEqual({ sampler: "parentbased_traceidratio", ratio: 0.01 });
});

/** Another process, with these settings. */
async function run(env: Record<string, string>): Promise<{ loaded: string[]; stopMs: number }> {
  const file = join(import.meta.dirname, "process.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env: { PATH: process.env.PATH, ...env } });
  return JSON.parse(stdout);
}

test("without the setting nothing of OpenTelemetry is loaded but the API, which the metrics' library brings", async () => {
  expect((await run({})).loaded).toEqual(["api"]);
  const { loaded } = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  expect(loaded).toEqual(expect.arrayContaining(["api", "sdk-trace", "exporter-trace-otlp-http"]));
  expect(named("step")).toBeDefined();
});

test("a share of none records nothing", async () => {
  const none = await startOtlpReceiver();
  onTestFinished(none.stop);
  const share = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" };
  await run({ OTEL_EXPORTER_OTLP_ENDPOINT: none.url, ...share });
  expect(none.spans).toEqual([]);
});

test("a collector that hangs delays the stop of a process by two seconds, and no more", async () => {
  const hanging = await startOtlpReceiver({ hangs: true });
  onTestFinished(hanging.stop);
  const { stopMs } = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: hanging.url });
  expect(hanging.spans).toHaveLength(1);
  // The exporter itself would wait for ten.
  expect(stopMs).toBeLessThan(8_000);
});
