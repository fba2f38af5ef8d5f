import { Problem } from "@collect/contracts";
import { inSpan } from "@collect/telemetry";
import { Agent, request } from "undici";
import { parseResponse } from "./json.ts";

/** What a request to a partner is signed over. `target` is the path with its query, as in the first line of the HTTP request. */
export type SignedRequest = { method: string; target: string; body: string };

export type HttpCall<Output> = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the base URL, with its query. */
  path: string;
  body?: object | undefined;
  /** The value of a response with any status. Whatever it throws becomes the cause of `provider_error`. */
  read(response: HttpResponse): Output;
  /** The problem detail if there is no valid response, in a sentence. */
  failure: string;
  /** Whether it can be repeated whatever became of it. The detail then says so. */
  isRepeatable?: boolean;
  signal?: AbortSignal | undefined;
};

/** `json` throws if the body is not JSON. */
export type HttpResponse = { status: number; json(): unknown };

/** Enough for a burst of new customers; a hanging bank occupies no more than these. */
const CONNECTIONS = 16;
const RESPONSE_BYTES_MAX = 16_384;

export type HttpCallOptions = {
  /** The base URL of the bank's API. */
  url: string;
  /** The timeout of a whole call, including waiting for a connection and reading the response. */
  timeoutMs: number;
  /** The headers that prove a request to be ours. */
  sign(request: SignedRequest): Record<string, string> | Promise<Record<string, string>>;
  responseBytesMax?: number;
};

/**
 * Calls to a partner bank: JSON, signed, bounded in time and size. They throw `provider_timeout` or `provider_error`, whose
 * detail is the caller's and whose cause is for the log. No body and no query is traced.
 */
export function createHttpCall({ url, timeoutMs, sign, responseBytesMax = RESPONSE_BYTES_MAX }: HttpCallOptions) {
  const base = url.replace(/\/$/, "");
  const dispatcher = new Agent({ connections: CONNECTIONS, maxResponseSize: responseBytesMax });
  const { hostname } = new URL(base);
  const stepOf = (method: string) =>
    ({
      name: method,
      kind: "CLIENT",
      attributes: { "http.request.method": method, "server.address": hostname },
    }) as const;

  async function send({ method, path, body }: HttpCall<unknown>, signal: AbortSignal) {
    const bytes = body === undefined ? "" : JSON.stringify(body);
    const target = new URL(`${base}${path}`);
    const signed = await sign({ method, target: `${target.pathname}${target.search}`, body: bytes });
    const headers = { "content-type": "application/json", ...signed };
    const response = await request(target, { method, headers, body: bytes || null, signal, dispatcher });
    return { status: response.statusCode, text: await response.body.text() };
  }

  return async <Output>(call: HttpCall<Output>): Promise<Output> => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = call.signal ? AbortSignal.any([call.signal, deadline]) : deadline;
    try {
      const { status, text } = await inSpan(
        () => stepOf(call.method),
        async (span) => {
          const response = await send(call, signal);
          span?.setAttribute("http.response.status_code", response.status);
          return response;
        },
      );
      return call.read({ status, json: () => parseResponse(text) });
    } catch (cause) {
      const advice = call.isRepeatable ? " It is safe to repeat the call." : "";
      if (!signal.aborted) throw new Problem("provider_error", `${call.failure}${advice}`, { cause });
      throw new Problem("provider_timeout", `The partner bank did not respond in time.${advice}`, { cause });
    }
  };
}

export type CallBank = ReturnType<typeof createHttpCall>;
