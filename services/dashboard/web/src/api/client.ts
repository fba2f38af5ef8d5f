import { attendance } from "./attended.ts";
import { ApiProblem } from "./problem.ts";

/** Shown when the response to a POST was lost: the request may still have been processed. */
const UNCERTAIN = "This may or may not have been completed. Check before you try again.";

type Method = "GET" | "POST";

/**
 * Calls the server's API. Fields named by the path are put into it; a GET sends the others as query, a POST as JSON
 * body. Throws an ApiProblem for every refusal. The only place where a response gets its type, from `api/calls.ts`.
 */
export async function call<Response>(
  method: Method,
  base: string,
  path: string,
  given: object = {},
): Promise<Response> {
  const { address, fields } = fillPath(path, given);
  const url = `${base}/${address}${method === "GET" ? queryOf(fields) : ""}`;
  const isPost = method === "POST";
  const headers = { ...attendance(), ...(isPost && { "content-type": "application/json" }) };
  const body = isPost ? JSON.stringify(fields) : null;
  const response = await fetch(url, { method, credentials: "same-origin", headers, body }).catch(() => {
    throw new ApiProblem({
      status: 0,
      code: "unreachable",
      detail: `The server isn't responding. Check your connection${method === "GET" ? " and try again." : `. ${UNCERTAIN}`}`,
    });
  });
  const answer = await response.json().catch(() => undefined);
  // A truncated response counts as none.
  if (response.ok && answer !== undefined) return answer;
  throw new ApiProblem({
    status: response.ok ? 0 : response.status,
    code: answer?.code ?? (response.ok ? "unreachable" : "internal_error"),
    detail:
      answer?.detail ??
      answer?.message ??
      `The server returned an unexpected response. ${method === "GET" ? "Try again." : UNCERTAIN}`,
    errors: answer?.errors,
    requestId: answer?.request_id,
  });
}

/** `collections/:reference/timeline` with its reference filled in, and the fields that the path does not name. */
export function fillPath(path: string, given: object): { address: string; fields: object } {
  const fields = new Map<string, unknown>(Object.entries(given));
  const address = path.replace(/:(\w+)/g, (_parameter, name: string) => {
    const value = fields.get(name);
    if (value === undefined) throw new Error(`${path} lacks its ${name}`);
    fields.delete(name);
    // Browsers resolve these two, even encoded, and would call another path.
    if (value === "." || value === "..")
      throw new ApiProblem({
        status: 400,
        code: "validation_failed",
        detail: `"${value}" can't be used in this page.`,
      });
    return encodeURIComponent(String(value));
  });
  return { address, fields: Object.fromEntries(fields) };
}

/** Unset fields are omitted. */
export function queryOf(fields: object): string {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (set.length === 0) return "";
  return `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`;
}
