import { PROBLEMS, type ProblemCode } from "@collect/contracts";

export type Answer = { status: number; headers: Headers; text: string; body: Record<string, unknown> };
type Sent = { json?: unknown; form?: Record<string, string>; raw?: string; headers?: Record<string, string> };
export type Client = {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, json: unknown): Promise<Answer>;
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
};

/** A merchant's server: HTTP with its API key only. */
export function client(baseUrl: string, key?: string): Client {
  const send = async (method: string, path: string, { json, form, raw, headers }: Sent = {}) => {
    const body = raw ?? (form ? new URLSearchParams(form).toString() : JSON.stringify(json));
    const type = form ? "application/x-www-form-urlencoded" : "application/json";
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "content-type": type }),
        ...headers,
      },
      body: body ?? null,
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : {} };
  };
  return {
    send,
    get: (path, headers) => send("GET", path, { headers }),
    post: (path, json) => send("POST", path, { json }),
  };
}

/** The complete expected refusal of the gateway, or of a server without pages about its errors, to compare with `refusalIn(response)` by `toEqual`. */
export function refusal(
  code: ProblemCode,
  more: { mode?: "test" | "live"; params?: string[]; withoutPage?: true } = {},
) {
  const { status, title } = PROBLEMS[code];
  return {
    httpStatus: status,
    contentType: "application/problem+json; charset=utf-8",
    type: more.withoutPage ? "about:blank" : `/docs/errors/${code}`,
    title,
    status,
    code,
    ...(more.mode && { mode: more.mode }),
    ...(more.params && { params: more.params }),
  };
}

/** A refusal without its human-readable text, after its request id was checked against the header. */
export function refusalIn({ status, headers, body }: Answer) {
  const { request_id, detail, errors, ...rest } = body;
  if (!request_id || request_id !== headers.get("x-request-id")) throw new Error("X-Request-Id is not the body's");
  if (typeof detail !== "string" || detail === "") throw new Error("the refusal has no detail");
  const params = Array.isArray(errors) ? { params: errors.map(({ param }) => param) } : {};
  return { httpStatus: status, contentType: headers.get("content-type"), ...rest, ...params };
}
