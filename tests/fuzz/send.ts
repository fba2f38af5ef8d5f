import { getGlobalDispatcher } from "undici";
import type { Call, Key, Value } from "./calls.ts";
import type { Known } from "./known.ts";

export type Keys = { secret: string; public: string };
export type Sent = { status: number; headers: Headers; text: string; body: unknown };

const TIMEOUT_MS = 60_000;

/** Sends a call exactly as it is, without a client that would clean its path. */
export async function send(call: Call, to: { baseUrl: string; keys: Keys; known: Known }): Promise<Sent> {
  const { origin, pathname } = new URL(to.baseUrl);
  const { type, text } = bodyOf(call, to.known);
  const dispatcher = getGlobalDispatcher();
  const authorization = authorizationOf(call, to.keys);
  const response = await dispatcher.request({
    origin,
    path: `${pathname}${pathOf(call, to.known)}${queryOf(call, to.known)}`,
    method: call.operation.method as "GET" | "POST",
    headers: { ...(type && { "content-type": type }), ...(authorization && { authorization }) },
    body: text,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  const received = await response.body.text();
  const headers = new Headers(
    Object.entries(response.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    ),
  );
  return { status: response.statusCode, headers, text: received, body: parsed(received) };
}

/** A call in one line, to be read. */
export function lineOf(call: Call, known: Known): string {
  const { text = "", type = "" } = bodyOf(call, known);
  const where = `${call.operation.method} ${pathOf(call, known)}${queryOf(call, known)}`;
  return `${where} ${type} ${text} (key: ${call.key})`.replace(/\s+/g, " ").slice(0, 500);
}

function authorizationOf({ operation, key }: Call, keys: Keys): string | undefined {
  const takes = operation.security.flatMap((scheme) => Object.keys(scheme));
  const right = takes.includes("public_key") ? `Bearer ${keys.public}` : `Bearer ${keys.secret}`;
  const of: Record<Key, string | undefined> = {
    right: takes.length > 0 ? right : undefined,
    none: undefined,
    public: `Bearer ${keys.public}`,
    unknown: `Bearer sk_test_${"x".repeat(38)}`,
    malformed: "Basic eDp5",
  };
  return of[key];
}

function resolved(name: string, given: Value, known: Known): unknown {
  if ("value" in given) return given.value;
  const kept = known.get(name) ?? [];
  return kept[given.known % Math.max(1, kept.length)] ?? `unknown_${given.known}`;
}

function pathOf({ operation, path }: Call, known: Known): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = asText(resolved(name, path[name] ?? { value: "x" }, known));
    // An empty one would be another path.
    return text === "%zz" ? text : encodeURIComponent(text || " ").replaceAll(".", "%2e");
  });
}

function queryOf({ query }: Call, known: Known): string {
  const pairs = query.map(([name, value]) => `${name}=${encodeURIComponent(asText(resolved(name, value, known)))}`);
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
}

function bodyOf({ body }: Call, known: Known): { text?: string; type?: string } {
  if (!body || "text" in body) return body ?? {};
  const fields = body.fields.map(([name, value]): [string, unknown] => [name, resolved(name, value, known)]);
  if (!body.asForm) return { text: JSON.stringify(Object.fromEntries(fields)), type: "application/json" };
  // A form has no null: the field is absent.
  const sent = fields.filter(([, value]) => value !== null);
  const form = new URLSearchParams(sent.map(([name, value]): [string, string] => [name, asText(value)]));
  return { text: form.toString(), type: "application/x-www-form-urlencoded" };
}

const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed();

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
