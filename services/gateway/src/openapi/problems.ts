import { Mode, PROBLEMS, Problem, type ProblemCode, type ProblemDocument, problemDocument } from "@collect/contracts";
import { z } from "zod";
import { type Endpoint, fieldsOf, parametersOf } from "../domain/endpoint.ts";

const CODES = Object.keys(PROBLEMS).filter(isProblemCode);
/** Codes that occur only at the bank door, for the operator and in the dashboard. */
const OTHER_AUDIENCES: readonly ProblemCode[] = [
  "invalid_signature",
  "conflict",
  "sign_in_required",
  "role_required",
  "reauthentication_required",
];

/** The JSON of every error. */
export const ProblemBody = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: "For people to read; may change." }),
    code: z
      .enum(CODES.filter((code) => !OTHER_AUDIENCES.includes(code)))
      .meta({ description: "For programs to rely on; stable." }),
    request_id: z.string().meta({ description: "The same as in X-Request-Id." }),
    mode: Mode.optional().meta({ description: "Present once the key was recognized." }),
    errors: z
      .array(z.object({ param: z.string(), code: z.string(), message: z.string() }))
      .optional()
      .meta({ description: "The invalid fields, with validation_failed." }),
  })
  .meta({ id: "Problem" });

/** All errors of an endpoint: those that follow from its method, key and budget, and those that its row adds. */
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

/** An example of an error with this code. */
export function problemExample(code: ProblemCode): ProblemDocument {
  const errors = [
    { param: "amount", code: "invalid_type", message: "Invalid input: expected number, received string" },
  ];
  const detail = `${PROBLEMS[code].title}.`;
  const problem = new Problem(code, detail, code === "validation_failed" ? { errors } : {});
  const mode = BEFORE_AUTHENTICATION.includes(code) ? undefined : "test";
  return problemDocument(problem, { requestId: "0b8f5b1e-4c53-4d53-9a44-6d3c9b0f6a35", mode });
}

/** Errors that occur before a key is recognized. */
const BEFORE_AUTHENTICATION: readonly ProblemCode[] = ["invalid_api_key", "request_timeout"];

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}
