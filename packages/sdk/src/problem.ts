import { CollectError, type FieldError, type ProofChallenge } from "./errors.ts";
import { metadataOf } from "./response.ts";

/** The error for a response that is a problem document (RFC 9457), or that comes from a proxy in between. */
export function problemOf(response: Response, json: unknown): CollectError {
  if (!isObject(json) || typeof json.code !== "string") return unreadable(response);
  const { requestId, rateLimit } = metadataOf(response);
  return new CollectError({
    status: response.status,
    code: json.code,
    detail: typeof json.detail === "string" ? json.detail : response.statusText,
    requestId: typeof json.request_id === "string" ? json.request_id : requestId,
    rateLimit,
    errors: Array.isArray(json.errors) ? json.errors.filter(isFieldError) : [],
    proof: isProofChallenge(json.proof) ? json.proof : null,
    retryAfter: retryAfterOf(response),
  });
}

/** Not the API's JSON: a proxy's page, a redirect, another server. */
export function unreadable(response: Response): CollectError {
  return new CollectError({
    status: response.status,
    code: "unreadable_answer",
    detail: `The response (status ${response.status}) is not the API's JSON. Is baseUrl correct?`,
    requestId: metadataOf(response).requestId,
    retryAfter: retryAfterOf(response),
  });
}

/** In seconds; the header may also contain a date. */
function retryAfterOf(response: Response): number | null {
  const header = response.headers.get("retry-after");
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

function isFieldError(error: unknown): error is FieldError {
  return isObject(error) && [error.param, error.code, error.message].every((field) => typeof field === "string");
}

function isProofChallenge(proof: unknown): proof is ProofChallenge {
  if (!isObject(proof) || typeof proof.difficulty !== "number") return false;
  return [proof.challenge, proof.expires_at].every((field) => typeof field === "string");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
