import {
  isMerchantCode,
  MERCHANT_CODES,
  Mode,
  PROBLEMS,
  Problem,
  type ProblemCode,
  type ProblemDocument,
  problemDocument,
  problemPage,
} from "@collect/contracts";
import { z } from "zod";
import { type Endpoint, fieldsOf, isOpenToForms, parametersOf, refusesUnknown } from "../domain/endpoint.ts";

/** The JSON of every error. */
export const ProblemBody = z
  .object({
    type: z.string().meta({
      format: "uri-reference",
      description:
        "The page that says what causes the error and what to do about it; relative to the API's host unless the documentation has a URL of its own.",
    }),
    title: z.string().meta({ description: "The kind of error, for people: the same for every error with this code." }),
    status: z.int().meta({ description: "The HTTP status." }),
    detail: z.string().meta({ description: "For people to read; may change." }),
    code: z.enum(MERCHANT_CODES).meta({ description: "For programs to rely on; stable." }),
    request_id: z.string().meta({ description: "The same as in X-Request-Id." }),
    mode: Mode.optional().meta({ description: "Present once the key was recognized." }),
    errors: z
      .array(
        z.object({
          param: z.string().meta({ description: "The field or parameter." }),
          code: z.string().meta({
            description:
              "What is wrong with it, for programs: such as `invalid_type`, `too_small`, `too_big`, `not_multiple_of`, `invalid_format`, `invalid_value`, `required` or `invalid`. There can be more.",
          }),
          message: z.string().meta({ description: "What is wrong with it, for people; may change." }),
        }),
      )
      .optional()
      .meta({
        description:
          "The fields that are invalid or missing, with `validation_failed` and `identity_required`. With `not_found`, the field that names what does not exist, unless that is in the path.",
      }),
    proof: z
      .object({
        challenge: z.string().meta({ description: "The text to solve." }),
        difficulty: z.int().meta({ description: "How many zero bits are asked for." }),
        expires_at: z.string().meta({ description: "Until when the solution is accepted." }),
      })
      .optional()
      .meta({
        description:
          "With proof_required: find a number n for which the SHA-256 of `{challenge}.{n}` begins with `difficulty` zero bits, and repeat the call with `{challenge}.{n}` as `proof`.",
      }),
  })
  .meta({ id: "Problem", description: "An error, as in RFC 9457." });

/** All errors of an endpoint: those that follow from its method, key and budget, and those that its row adds. */
export function problemsOf(endpoint: Endpoint): ProblemCode[] {
  const { method, path, key, budget, limit, testOnly, problems = [] } = endpoint;
  const codes = new Set<ProblemCode>([...problems, "internal_error", "service_unavailable"]);
  const add = (applies: boolean, ...added: ProblemCode[]) => applies && added.map((code) => codes.add(code));
  add(Object.keys(fieldsOf(endpoint).shape).length > 0 || refusesUnknown(endpoint), "validation_failed");
  add(method === "POST", "malformed_body", "request_timeout", "body_too_large", "unsupported_media_type");
  add(isOpenToForms(endpoint), "origin_not_allowed");
  add(key !== "none", "invalid_api_key");
  add(key === "secret", "secret_key_required", "insufficient_scope", "address_not_allowed");
  add(key !== "none" && !testOnly, "verification_required");
  add(testOnly === true, "test_key_required");
  add(parametersOf(path).length > 0, "not_found");
  add(budget !== undefined || limit !== undefined, "rate_limited");
  return MERCHANT_CODES.filter((code) => codes.has(code));
}

/** An example of an error with this code. */
export function problemExample(code: ProblemCode): ProblemDocument {
  const errors = [{ param: "amount", code: "invalid_type", message: "must be a number such as 2500.73" }];
  const detail = `${PROBLEMS[code].title}.`;
  const problem = new Problem(code, detail, {
    ...(code === "validation_failed" && { errors }),
    ...(code === "proof_required" && { proof: PROOF }),
  });
  const mode = BEFORE_AUTHENTICATION.includes(code) ? undefined : "test";
  const type = isMerchantCode(code) ? problemPage(code) : undefined;
  return problemDocument(problem, { requestId: "0b8f5b1e-4c53-4d53-9a44-6d3c9b0f6a35", mode, type });
}

const PROOF = {
  challenge: "14.1795341900000.m1yE0v2QkF8sH3aTz5Yw4A.kq2v1ZC0mQw3N6b8sYt5uX7eR9pL4jH2gF1dSaKzVxU",
  difficulty: 14,
  expires_at: "2026-11-22T10:05:00.000+00:00",
};

/** Errors that occur before a key is recognized. */
const BEFORE_AUTHENTICATION: readonly ProblemCode[] = ["invalid_api_key", "request_timeout"];
