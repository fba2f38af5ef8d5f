import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

type Attribute = { key: string; value: Record<string, unknown> };
type Place = { traceId: string; spanId: string };
type WireSpan = Place & { parentSpanId?: string; name: string; attributes: Attribute[]; links?: Place[] };
/** A request of OpenTelemetry's protocol in JSON, as far as it is read here. */
type WireSpans = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: WireSpan[] }[] }[];
};

export type ReceivedSpan = Omit<WireSpan, "attributes" | "links"> & {
  service: unknown;
  attributes: Record<string, unknown>;
  links: Place[];
  /** Everything that was sent about it but random ids and times, to be searched. */
  text: string;
};

export type OtlpReceiver = { url: string; spans: ReceivedSpan[]; stop(): Promise<void> };

const UNSEARCHED = {
  ...{ traceId: "", spanId: "", parentSpanId: "", links: [] },
  ...{ startTimeUnixNano: "", endTimeUnixNano: "" },
};

/** A collector of traces, for tests: it takes OpenTelemetry's protocol in JSON. One that hangs never answers. */
export async function startOtlpReceiver({ hangs = false } = {}): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as WireSpans;
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = valuesOf(resource.attributes)["service.name"];
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...{ service, ...span, links: span.links ?? [] },
          attributes: valuesOf(span.attributes),
          text: JSON.stringify({ ...span, ...UNSEARCHED }),
        });
    }
    if (!hangs) response.setHeader("Content-Type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const valuesOf = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
