import { Mode, PROBLEMS, Problem, type ProblemCode, type ProblemDocument, problemDocument } from "@collect/contracts";
import { z } from "zod";
import { type Endpoint, fieldsOf, parametersOf } from "../domain/endpoint.ts";

const CODES = Object.keys(PROBLEMS).filter(isProblemCode);
/** Codes that only the bank door, the operator and people in the dashboard meet. */
const ELSEWHERE: readonly ProblemCode[] = [
  "invalid_signature",
  "conflict",
  "sign_in_required",
  "role_required",
  "reauthentication_required",
];

/** Every refusal, as it stands in the JSON. */
export const ProblemBody = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: "For people; it may change." }),
    code: z
      .enum(CODES.filter((code) => !ELSEWHERE.includes(code)))
      .meta({ description: "For programs; it does not change." }),
    request_id: z.string().meta({ description: "The same as in X-Request-Id." }),
    mode: Mode.optional().meta({ description: "There once a key was recognised." }),
    errors: z
      .array(z.object({ param: z.string(), code: z.string(), message: z.string() }))
      .optional()
      .meta({ description: "Which fields failed, with validation_failed." }),
  })
  .meta({ id: "Problem" });

/** Everything an endpoint can be refused with: what follows from its method, key and budget, and what its row adds. */
export function problemsOf(endpoint: Endpoint): ProblemCode[] {
  const { method, path, key, budget, limit, testOnly, problems = [] } = endpoint;
  const codes = new Set<ProblemCode>([...problems, "internal_error", "service_unavailable"]);
  const add = (applies: boolean, ...added: ProblemCode[]) => applies && added.map((code) => codes.add(code));
  add(Object.keys(fieldsOf(endpoint).shape).length > 0, "validation_failed");
  add(method === "POST", "malformed_body", "request_timeout", "body_too_large", "unsupported_media_type");
  add(key !== "none", "invalid_api_key");
  add(key === "secret", "secret_key_required");
  add(testOnly === true, "test_key_required");
  add(parametersOf(path).length > 0, "not_found");
  add(budget !== undefined || limit !== undefined, "rate_limited");
  return CODES.filter((code) => codes.has(code));
}

/** A refusal with this code, as an example. */
export function problemExample(code: ProblemCode): ProblemDocument {
  const errors = [
    { param: "amount", code: "invalid_type", message: "Invalid input: expected number, received string" },
  ];
  const detail = `${PROBLEMS[code].title}.`;
  const problem = new Problem(code, detail, code === "validation_failed" ? { errors } : {});
  const mode = UNRECOGNISED.includes(code) ? undefined : "test";
  return problemDocument(problem, { requestId: "0b8f5b1e-4c53-4d53-9a44-6d3c9b0f6a35", mode });
}

/** Refusals that come before a key was looked at. */
const UNRECOGNISED: readonly ProblemCode[] = ["invalid_api_key", "request_timeout"];

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}
