import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  links?: { spanId: string }[];
  attributes: unknown[];
};
type Sent = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };

/** Where spans are sent. One that hangs takes them and never answers. */
export async function startCollector({ hangs = false } = {}) {
  const spans: Span[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Sent;
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
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
