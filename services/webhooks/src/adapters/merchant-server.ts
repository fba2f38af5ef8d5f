import { Agent, type Dispatcher } from "undici";
import { guardedConnector, type Resolve } from "./guarded-connect.ts";
import { readMerchantUrl, type UrlRules } from "./merchant-url.ts";

/** The result of one POST: the response's status, or why there was none. */
export type PostResult =
  | { status: number; response: string; retryAfter: string | undefined }
  | { status: null; error: string };

export type MerchantServers = {
  /** Sends the bytes once and follows no redirect. Never throws: an error is part of the result. */
  post(request: { url: string; headers: Record<string, string>; body: Buffer }): Promise<PostResult>;
  /** Aborts open connections. */
  close(): Promise<void>;
};

const CONNECT_TIMEOUT_MS = 10_000;
/** Per origin, which may serve many merchants; each merchant has its own limit. */
const CONNECTIONS_PER_ORIGIN = 256;
const HEADERS_MAX_BYTES = 16 * 1024;
/** How much of a response is stored, and how much is read so that its connection can be reused. */
const EXCERPT_BYTES = 1024;
const READ_BYTES = 64 * 1024;

/** `deadlineMs` covers everything: name, connection, request, response. */
export function createMerchantServers(options: {
  urls: UrlRules;
  deadlineMs: number;
  resolve?: Resolve;
}): MerchantServers {
  const connection = { timeoutMs: CONNECT_TIMEOUT_MS, resolve: options.resolve };
  const agent = new Agent({
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    allowH2: false,
    connect: options.urls.allowPrivateUrls ? { timeout: CONNECT_TIMEOUT_MS } : guardedConnector(connection),
    maxHeaderSize: HEADERS_MAX_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async post({ url, headers, body }) {
      const read = readMerchantUrl(url, options.urls);
      if ("fault" in read) return { status: null, error: `refused: the URL ${read.fault}` };
      const { origin, pathname, search } = new URL(read.url);
      const request = { origin, path: pathname + search, method: "POST" as const, headers, body };
      return exchange(agent, request, options.deadlineMs).catch((error) => ({
        status: null,
        error: describe(error, options.deadlineMs),
      }));
    },
    close: () => agent.destroy(),
  };
}

class DeadlinePassed extends Error {}
class ReadEnough extends Error {}

/** Once the status is known it counts, even if the body trickles in until the deadline. */
function exchange(agent: Agent, request: Dispatcher.DispatchOptions, deadlineMs: number): Promise<PostResult> {
  return new Promise((resolve) => {
    const excerpt: Buffer[] = [];
    let length = 0;
    let status: number | undefined;
    let retryAfter: string | undefined;
    let running: Dispatcher.DispatchController | undefined;
    let abortReason: Error | undefined;

    const settle = (error?: Error) => {
      clearTimeout(deadline);
      if (status === undefined) return resolve({ status: null, error: describe(error, deadlineMs) });
      resolve({ status, response: textOf(excerpt), retryAfter });
    };
    const abort = (reason: Error) => {
      abortReason = reason;
      running?.abort(reason);
      settle(reason);
    };
    const deadline = setTimeout(() => abort(new DeadlinePassed()), deadlineMs);

    agent.dispatch(request, {
      onRequestStart(controller) {
        running = controller;
        if (abortReason) controller.abort(abortReason);
      },
      onResponseStart(_controller, code, headers) {
        // 1xx is informational: the final response follows.
        if (code < 200) return;
        status = code;
        const header = headers["retry-after"];
        retryAfter = Array.isArray(header) ? header[0] : header;
      },
      onResponseData(_controller, chunk) {
        if (length < EXCERPT_BYTES) excerpt.push(chunk.subarray(0, EXCERPT_BYTES - length));
        length += chunk.length;
        if (length > READ_BYTES) abort(new ReadEnough());
      },
      onResponseEnd: () => settle(),
      onResponseError: (_controller, error) => settle(error),
    });
  });
}

/** A character that is truncated becomes U+FFFD, and so does NUL, which PostgreSQL cannot store. */
function textOf(excerpt: Buffer[]): string {
  return Buffer.concat(excerpt).toString("utf8").replaceAll("\0", "\uFFFD");
}

function describe(error: Error | undefined, deadlineMs: number): string {
  if (error instanceof DeadlinePassed) return `no answer within ${deadlineMs / 1_000} s`;
  const code = error && "code" in error && typeof error.code === "string" ? `${error.code}: ` : "";
  return `${code}${error?.message ?? "the connection ended"}`.replaceAll("\0", "").slice(0, 300);
}
