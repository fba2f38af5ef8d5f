import { type KeyType, keyPrefix } from "./api-key.ts";

export const CALL_OUTCOMES = ["ok", "client_error", "server_error"] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** What the API answers to; HEAD is asked by those who ask for a GET without its body. */
export const CALL_METHODS = ["GET", "HEAD", "POST"] as const;
export type CallMethod = (typeof CALL_METHODS)[number];

/** What is kept of a call. Never a body, a header, a query string or a whole key. */
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
/** A key that a caller put there by mistake. */
const KEY = /([sp]k(?:_|%5f)(?:test|live)(?:_|%5f))[0-9A-Za-z]{20,}/gi;
const withoutKeys = (text: string) => text.replace(KEY, "$1…");

/** The caller's own request ids are kept, unless one is a key. */
export const loggedRequestId = withoutKeys;

/** The path as it is kept: without what follows a question mark, without keys, and not longer than it may be. */
export function loggedPath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  return withoutKeys(path).slice(0, PATH_MAX);
}

/** Who hangs up before the answer is there has no status; it is counted as the client's, by the number that servers use for it. */
export const HUNG_UP = 499;

export function callOutcome(status: number): CallOutcome {
  if (status >= 500) return "server_error";
  return status >= 400 ? "client_error" : "ok";
}

/** `sk_test_…3xYz`: enough to tell one key from another. */
export function keyInShort(type: KeyType, lastFour: string): string {
  return `${keyPrefix(type)}…${lastFour}`;
}

/** What was typed, as what is looked for: a request id, or the beginning of a path with or without its version. */
export function searchedFor(search: string): { requestId: string; from: string; before: string } {
  const path = `/${search.replace(/^\/+/, "")}`;
  const from = /^\/v1(\/|$)/.test(path) ? path : `/v1${path}`;
  return { requestId: search, from, before: `${from}\u{10FFFF}` };
}
