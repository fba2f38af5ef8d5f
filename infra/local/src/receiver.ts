import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { MODES, Mode } from "@collect/contracts";
import { z } from "zod";

/** A delivery as the demo merchant's server received it. */
export const Received = z.object({
  received_at: z.string(),
  mode: Mode,
  /** Whether `signature` is the HMAC-SHA512 of the raw bytes. */
  verified: z.boolean(),
  event: z.string(),
  delivery: z.number(),
  sequence: z.number(),
  attempt: z.number(),
  signature: z.string(),
  /** The raw body. */
  raw: z.string(),
});
export type Received = z.output<typeof Received>;

const KEPT_MAX = 1_000;
const BODY_MAX = 1_000_000;

/**
 * The demo merchant's server: `POST /hooks/test` and `/hooks/live` receive webhooks, `GET /received?mode=test` lists them,
 * oldest first. A webhook without a valid signature gets a 401 and is still listed.
 * `GET /stack` identifies the stack, so that a second start and `npm run reset` recognize it.
 */
export async function startReceiver(options: {
  port: number;
  stack: object;
  secretOf(mode: Mode): string | undefined;
}) {
  const received: Received[] = [];

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://receiver");
    const respond = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const mode = MODES.find((known) => pathname === `/hooks/${known}`);
    if (request.method === "POST" && mode) {
      const raw = await bodyOf(request).catch(() => undefined);
      if (!raw) return respond(413, { error: "the body is too large" });
      const delivery = describe(mode, request, raw, options.secretOf(mode));
      received.push(delivery);
      received.splice(0, received.length - KEPT_MAX);
      return respond(delivery.verified ? 200 : 401, { verified: delivery.verified, ...challengeOf(delivery) });
    }
    if (request.method === "GET" && pathname === "/received") {
      const filter = searchParams.get("mode");
      return respond(200, { data: received.filter((delivery) => !filter || delivery.mode === filter) });
    }
    if (request.method === "GET" && pathname === "/stack") return respond(200, options.stack);
    respond(404, { error: "POST /hooks/test, POST /hooks/live or GET /received?mode=test" });
  });

  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  return {
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function describe(mode: Mode, { headers }: IncomingMessage, raw: Buffer, secret: string | undefined): Received {
  const signature = String(headers["x-service-signature"] ?? "");
  return {
    received_at: new Date().toISOString(),
    mode,
    verified: secret !== undefined && isSigned(raw, signature, secret),
    event: String(headers["x-service-event"] ?? ""),
    delivery: Number(headers["x-service-delivery"] ?? 0),
    sequence: Number(headers["x-service-sequence"] ?? 0),
    attempt: Number(headers["x-service-attempt"] ?? 0),
    signature,
    raw: raw.toString(),
  };
}

/** What a new webhook URL must answer, where the setting CONFIRM_PRIVATE_URLS asks it of local ones. */
function challengeOf({ verified, event, raw }: Received): { challenge?: string } {
  return verified && event === "endpoint.challenge" ? { challenge: JSON.parse(raw).data.challenge } : {};
}

/** Every integration's first step: HMAC over the raw bytes, compared in constant time. */
export function isSigned(raw: Buffer, signature: string, secret: string): boolean {
  const expected = Buffer.from(createHmac("sha512", secret).update(raw).digest("hex"));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_MAX) throw new Error("too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
