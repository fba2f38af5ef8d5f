import { Problem } from "@collect/contracts";
import { inSpan } from "@collect/telemetry";
import { Agent, request } from "undici";
import type { z } from "zod";
import { signCall } from "./call-signature.ts";

type Call<Output> = {
  method: "GET" | "POST";
  path: string;
  body?: object;
  /** The schema that the response must match. */
  schema: z.ZodType<Output>;
  /** The problem detail if there is no valid response. */
  failure: string;
  signal?: AbortSignal | undefined;
};

export type SignedCall = {
  <Output>(call: Call<Output>): Promise<Output>;
  /** The same for a resource that may not exist: undefined if the bank itself says so. */
  find<Output>(call: Call<Output>): Promise<Output | undefined>;
};

/** Enough for a burst of new customers; a hanging bank occupies no more than these. */
const CONNECTIONS = 16;
const RESPONSE_BYTES_MAX = 16_384;

export type SignedCallOptions = {
  /** The base URL of the bank's API. */
  url: string;
  secret: string;
  /** The timeout of a whole call, including waiting for a connection and reading the response. */
  timeoutMs: number;
  /** The time at which calls are signed. The bank refuses a wrong one, and the clock of a process may be a day off. */
  now?: () => Promise<Date>;
};

/** Calls to the partner bank: signed, bounded in time and size. They throw `provider_timeout` or `provider_error`. */
export function createSignedCall(options: SignedCallOptions): SignedCall {
  const { secret, now = async () => new Date() } = options;
  const base = options.url.replace(/\/$/, "");
  const dispatcher = new Agent({ connections: CONNECTIONS, maxResponseSize: RESPONSE_BYTES_MAX });

  async function send({ method, path, body }: Call<unknown>, signal: AbortSignal) {
    const bytes = body === undefined ? "" : JSON.stringify(body);
    const url = new URL(`${base}${path}`);
    const signed = signCall({ method, target: `${url.pathname}${url.search}`, body: bytes }, secret, await now());
    const headers = { "content-type": "application/json", ...signed };
    const response = await request(url, { method, headers, body: bytes || null, signal, dispatcher });
    return { status: response.statusCode, text: await response.body.text() };
  }

  const { hostname } = new URL(base);
  const stepOf = ({ method }: Call<unknown>) =>
    ({
      name: method,
      kind: "CLIENT",
      attributes: { "http.request.method": method, "server.address": hostname },
    }) as const;

  async function run<Output>(call: Call<Output>, mayBeMissing: boolean): Promise<Output | undefined> {
    const deadline = AbortSignal.timeout(options.timeoutMs);
    const signal = call.signal ? AbortSignal.any([call.signal, deadline]) : deadline;
    try {
      const { status, text } = await inSpan(
        () => stepOf(call),
        async (span) => {
          const response = await send(call, signal);
          span?.setAttribute("http.response.status_code", response.status);
          return response;
        },
      );
      if (mayBeMissing && status === 404 && saysNotFound(json(text))) return undefined;
      if (status > 299) throw new Error(`the partner bank answered ${status}`);
      return call.schema.parse(json(text));
    } catch (cause) {
      if (!signal.aborted) throw new Problem("provider_error", call.failure, { cause });
      const detail = "The partner bank did not respond in time. It is safe to repeat the call.";
      throw new Problem("provider_timeout", detail, { cause });
    }
  }

  const call = async <Output>(given: Call<Output>) => (await run(given, false)) as Output;
  return Object.assign(call, { find: <Output>(given: Call<Output>) => run(given, true) });
}

/**
 * Only the bank's own response counts. A 404 from a proxy, or for a wrong URL, does not mean that the bank does not
 * know it.
 */
function saysNotFound(body: unknown): boolean {
  return typeof body === "object" && body !== null && "code" in body && body.code === "not_found";
}

/** Replaces the parser's error, which quotes its input and would be logged as the cause. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("the partner bank answered with invalid JSON");
  }
}
