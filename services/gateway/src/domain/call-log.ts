import { type KeyType, keyPrefix } from "./api-key.ts";

export const CALL_OUTCOMES = ["ok", "client_error", "server_error"] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** The methods of the API; a HEAD is a GET without the response body. */
export const CALL_METHODS = ["GET", "HEAD", "POST"] as const;
export type CallMethod = (typeof CALL_METHODS)[number];

/** The log entry of a call. Never a body, a header, a query string or a full key. */
export type LoggedCall = {
  merchant_id: string;
  mode: "test" | "live";
  at: Date;
  request_id: string;
  method: CallMethod;
  path: string;
  status: number;
  outcome: CallOutcome;
  code: string | null;
  duration_ms: number;
  key: string;
};

const PATH_MAX = 300;
/** A key in the wrong place by the caller's mistake. */
const KEY = /([spr]k(?:_|%5f)(?:test|live)(?:_|%5f))[0-9A-Za-z]{20,}/gi;
const withoutKeys = (text: string) => text.replace(KEY, "$1…");

/** The caller's own request id, with any key in it masked. */
export const loggedRequestId = withoutKeys;

/** The path as logged: without query string and keys, and cut at the maximum length. */
export function loggedPath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  return withoutKeys(path).slice(0, PATH_MAX);
}

/** The conventional status for a client that disconnects before the response: it counts as a client error. */
export const CLIENT_DISCONNECTED = 499;

export function callOutcome(status: number): CallOutcome {
  if (status >= 500) return "server_error";
  return status >= 400 ? "client_error" : "ok";
}

/** `sk_test_…3xYz`: enough to identify a key. */
export function maskedKey(type: KeyType, lastFour: string): string {
  return `${keyPrefix(type)}…${lastFour}`;
}

/** A search term as a query: a request id, or the beginning of a path with or without its version. */
export function parseSearch(search: string): { requestId: string; from: string; before: string } {
  const path = `/${search.replace(/^\/+/, "")}`;
  const from = /^\/v1(\/|$)/.test(path) ? path : `/v1${path}`;
  return { requestId: search, from, before: `${from}\u{10FFFF}` };
}
