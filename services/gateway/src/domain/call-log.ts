import type { Problem } from "@collect/contracts";
import { type KeyType, keyPrefix } from "./api-key.ts";

export const CALL_OUTCOMES = ["ok", "client_error", "server_error"] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** The methods of the API; a HEAD is a GET without the response body. */
export const CALL_METHODS = ["GET", "HEAD", "POST"] as const;
export type CallMethod = (typeof CALL_METHODS)[number];

/** The log entry of a call. Never a header or a full key; of a call with a live key neither the query string nor the body. */
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
  /** The reference of what the response is about. */
  made: string | null;
  /** Why it was refused, as JSON. */
  problem: string | null;
  query: string | null;
  body_type: string | null;
  body: string | null;
};

const PATH_MAX = 300;
/** A key in the wrong place by the caller's mistake. */
const KEY = /([spr]k(?:_|%5f)(?:test|live)(?:_|%5f))[0-9A-Za-z]{20,}/gi;
const withoutKeys = (text: string) => text.replace(KEY, "$1…");

/** The value of a field that identifies a person, in JSON, in a form, and in what was meant to be one of them. */
const PERSON_NUMBER = /(["']?\b(?:bvn|nin)\b["']?\s*[:=]\s*)("(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s,&}\]]+)/gi;
const withoutSecrets = (text: string) => withoutKeys(text).replace(PERSON_NUMBER, '$1"…"');

/** The caller's own request id, with any key in it masked. */
export const loggedRequestId = withoutKeys;

/** The path as logged: without query string and keys, and cut at the maximum length. */
export function loggedPath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  return withoutKeys(path).slice(0, PATH_MAX);
}

const REFERENCE_MAX = 100;

/** The reference in a response about one thing: its own, that of a customer, or that of the first of several. */
export function referenceMade(response: unknown): string | null {
  const { reference, customer_reference, reports } = Object(response);
  const found = reference ?? customer_reference ?? Object(Array.isArray(reports) ? reports[0] : undefined).reference;
  return typeof found === "string" && found.length <= REFERENCE_MAX ? found : null;
}

const PROBLEM_MAX = 2_000;

/** A refusal as JSON, as the caller got it; without its fields if they are too many. */
export function loggedProblem({ detail, errors = [] }: Pick<Problem, "detail" | "errors">): string {
  const whole = withoutKeys(JSON.stringify({ detail, errors }));
  return whole.length <= PROBLEM_MAX
    ? whole
    : withoutKeys(JSON.stringify({ detail: detail.slice(0, 500), errors: [] }));
}

/** The most characters of a query string, and of a body, that are kept. A part of one could not be repeated. */
const SENT_MAX = 2_000;
type Sent = Pick<LoggedCall, "query" | "body_type" | "body">;
const NOTHING_SENT: Sent = { query: null, body_type: null, body: null };

/** What was sent with a test key, without keys and numbers of persons; nothing of a call with a live key. */
export function loggedContent(
  mode: LoggedCall["mode"],
  { url, type, body }: { url: string; type: string | undefined; body: Uint8Array | undefined },
): Sent {
  if (mode !== "test") return NOTHING_SENT;
  const query = kept(url.split("#", 1)[0]?.split(/\?(.*)/s)[1]);
  if (!body || !type) return { ...NOTHING_SENT, query };
  // PostgreSQL stores no NUL, and one in a body is the caller's mistake.
  return { query, body_type: type, body: kept(Buffer.from(body).toString("utf8").replaceAll("\0", "\uFFFD")) };
}

/** The line of a call alone: a body keeps its type, which says that there was one. */
export const withoutContent = (call: LoggedCall): LoggedCall => ({ ...call, problem: null, query: null, body: null });

const kept = (text = "") => (text !== "" && text.length <= SENT_MAX ? withoutSecrets(text) : null);

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

/** A search term as a query: a request id, a reference, or the beginning of a path with or without its version. */
export function parseSearch(search: string): { term: string; from: string; before: string } {
  const path = `/${search.replace(/^\/+/, "")}`;
  const from = /^\/v1(\/|$)/.test(path) ? path : `/v1${path}`;
  return { term: search, from, before: `${from}\u{10FFFF}` };
}
