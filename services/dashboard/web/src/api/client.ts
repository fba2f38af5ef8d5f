import { ApiProblem } from "./problem.ts";

export type Fields = Record<string, unknown>;

/** Said of what was asked to be done when the answer was lost: it may have been lost on the way there or on the way back. */
const UNCERTAIN = "This may or may not have been done: look before you do it again.";

/** A GET takes its fields as a query, a POST as JSON. Throws an ApiProblem for every refusal. */
export async function call<Reply>(method: "GET" | "POST", path: string, fields: Fields = {}): Promise<Reply> {
  const url = method === "GET" ? `${path}${queryOf(fields)}` : path;
  const body =
    method === "POST" ? { headers: { "content-type": "application/json" }, body: JSON.stringify(fields) } : {};
  const response = await fetch(url, { method, credentials: "same-origin", ...body }).catch(() => {
    throw new ApiProblem({
      status: 0,
      code: "unreachable",
      detail: `The server does not answer. Check the connection${method === "GET" ? " and try again." : `. ${UNCERTAIN}`}`,
    });
  });
  const answer = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  throw new ApiProblem({
    status: response.status,
    code: answer?.code ?? "internal_error",
    detail:
      answer?.detail ??
      answer?.message ??
      `The server did not answer as it should. ${method === "GET" ? "Try again." : UNCERTAIN}`,
    errors: answer?.errors,
    requestId: answer?.request_id,
  });
}

/** What is not set is left out. */
export function queryOf(fields: Fields): string {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (set.length === 0) return "";
  return `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`;
}
