import { methodsOf } from "../generated/methods.ts";
import { type FollowOptions, followEvents } from "./follow.ts";
import { type Calls, type Name, operation, type Parts, type Result } from "./operations.ts";
import { type ListQuery, pagePromise } from "./pages.ts";
import { apiPromise, type ResponseMetadata } from "./response.ts";
import { send } from "./send.ts";

export type ClientOptions = {
  /** `sk_test_…` or `sk_live_…`; a restricted key, `rk_…`, can make the calls whose scope it has; with `pk_test_…` or `pk_live_…` only `openCheckout` can be called. The key decides the mode. */
  key: string;
  /** Including the version. Required with a live key. Default of a test key: the local sandbox, `http://localhost:4000/v1`. */
  baseUrl?: string;
  fetch?: typeof fetch;
  /** Per attempt, until the last byte of the response. Default 30,000. */
  timeoutMs?: number;
  /** Retries of a call that is safe to repeat. Default 3; 0 for none. */
  retries?: number;
};

export type Client = ReturnType<typeof createClient>;

/**
 * The merchant API, one method per operation that takes a key. Refusals and failures are thrown as a `CollectError`. A list can be
 * awaited, for one page, or iterated with `for await`, for all rows.
 */
export function createClient(options: ClientOptions) {
  const { key, baseUrl = LOCAL, timeoutMs = 30_000, retries = 3 } = options;
  if (!/^[spr]k_(test|live)_\w+$/.test(key)) throw new TypeError("key must be an API key such as sk_test_…");
  if (/^.k_live_/.test(key)) assertSafe(options.baseUrl);
  const sending = { key, retries, fetch: options.fetch ?? fetch };

  function exchange<Of extends Name>(name: Of, { path = {}, query = {}, body, options = {} }: Parts) {
    const { method, path: template, repeatable } = operation(name);
    // A call that waits for events is answered that much later.
    const waitMs = Number(query.wait ?? 0) * 1_000;
    // As the document declares it: responses of the API are not validated here.
    return send(sending, {
      method,
      url: urlOf(baseUrl, template, path, query),
      body: body === undefined ? undefined : JSON.stringify(body),
      repeatable: repeatable === "always" || (repeatable === "with_reference" && hasReference(body)),
      timeoutMs: (options.timeoutMs ?? timeoutMs) + waitMs,
      signal: options.signal,
    }) as Promise<{ data: Result<Of>; response: ResponseMetadata }>;
  }

  const calls: Calls = {
    call: (name, parts = {}) => apiPromise(exchange(name, parts)),
    list: (name, parts = {}) =>
      pagePromise((query: ListQuery) => exchange(name, { ...parts, query }), parts.query ?? {}),
  };
  const methods = methodsOf(calls);
  return {
    ...methods,
    /**
     * Iterates over the event log, in order and without an end, as `listEvents` returns it: waits for what comes next, and through
     * outages. Ends when `signal` is aborted. Throws `event_gap` where the log lacks a number.
     */
    followEvents: (following: FollowOptions = {}) => followEvents(methods.listEvents, following),
  };
}

const LOCAL = "http://localhost:4000/v1";
const THIS_MACHINE = ["localhost", "127.0.0.1", "[::1]"];

/** A live key moves money: it is sent neither to a default that was meant for another one, nor in clear over a network. */
function assertSafe(baseUrl: string | undefined): void {
  if (baseUrl === undefined)
    throw new TypeError("a live key needs baseUrl, the URL of the live API, such as https://…/v1");
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== "https:" && !THIS_MACHINE.includes(hostname))
    throw new TypeError(`a live key is sent over https only, and not to ${baseUrl}`);
}

function urlOf(baseUrl: string, template: string, path: Record<string, string>, query: Record<string, unknown>): URL {
  const route = template.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, path[name] ?? ""));
  const url = new URL(baseUrl.replace(/\/+$/, "") + route);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

/** An empty segment, or one of dots, would match another route of the API. */
function segmentOf(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} "${value}" cannot be part of a URL`);
  return encodeURIComponent(value);
}

function hasReference(body: object | undefined): boolean {
  return body !== undefined && "reference" in body && typeof body.reference === "string" && body.reference !== "";
}
