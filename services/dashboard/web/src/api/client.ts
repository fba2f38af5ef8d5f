import { ApiProblem } from "./problem.ts";

export type Fields = Record<string, unknown>;

/** A GET takes its fields as a query, a POST as JSON. Throws an ApiProblem for every refusal. */
export async function call<Reply>(method: "GET" | "POST", path: string, fields: Fields = {}): Promise<Reply> {
  const url = method === "GET" ? `${path}${queryOf(fields)}` : path;
  const body =
    method === "POST" ? { headers: { "content-type": "application/json" }, body: JSON.stringify(fields) } : {};
  const response = await fetch(url, { method, credentials: "same-origin", ...body }).catch(() => {
    throw new ApiProblem({
      status: 0,
      code: "unreachable",
      detail: "The server does not answer. Check the connection; nothing was lost.",
    });
  });
  const answer = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  throw new ApiProblem({
    status: response.status,
    code: answer?.code ?? "internal_error",
    detail: answer?.detail ?? answer?.message ?? "The server did not answer as it should. Try again.",
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
