/** Every error the API can return: code → status and title. Codes are stable; details are for people. */
export const PROBLEMS = {
  validation_failed: { status: 400, title: "The request has invalid fields" },
  identity_required: { status: 400, title: "The bank needs a number that identifies the customer" },
  malformed_body: { status: 400, title: "The request body could not be parsed" },
  invalid_api_key: { status: 401, title: "The API key is missing or wrong" },
  secret_key_required: { status: 401, title: "A secret key is required" },
  invalid_signature: { status: 401, title: "The signature does not match the body" },
  invalid_operator: { status: 401, title: "The operator's credential is missing or wrong" },
  session_ended: { status: 401, title: "Your session has ended" },
  sign_in_required: { status: 401, title: "Not signed in" },
  test_key_required: { status: 403, title: "A test key is required" },
  insufficient_scope: { status: 403, title: "The key lacks the scope for this" },
  address_not_allowed: { status: 403, title: "The key cannot be used from this address" },
  origin_not_allowed: { status: 403, title: "The call came from a page of another origin" },
  role_required: { status: 403, title: "Your role does not allow this" },
  second_person_required: { status: 403, title: "A second person is required" },
  approver_too_new: { status: 403, title: "Your role is too new to approve this" },
  address_unconfirmed: { status: 403, title: "Confirm your email address first" },
  second_factor_required: { status: 403, title: "A second factor is required" },
  enrolment_required: { status: 403, title: "Confirm before setting up a second factor" },
  reauthentication_required: { status: 403, title: "Confirm that it's you" },
  verification_required: { status: 403, title: "The business is not verified yet" },
  merchant_suspended: { status: 403, title: "The business is suspended" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  request_timeout: { status: 408, title: "The request was not received in time" },
  account_retired: { status: 409, title: "The customer account is retired" },
  details_already_given: { status: 409, title: "Different details were already provided" },
  session_closed: { status: 409, title: "The session is closed" },
  not_cancellable: { status: 409, title: "The payment cannot be cancelled any more" },
  reference_conflict: { status: 409, title: "The reference was already used with different values" },
  approval_required: { status: 409, title: "A second operator has to approve this" },
  own_proposal: { status: 409, title: "The proposal is the operator's own" },
  already_attached: { status: 409, title: "The money is attached already" },
  not_attachable: { status: 409, title: "The money cannot be attached" },
  account_active: { status: 409, title: "The customer account is not retired" },
  still_in_progress: { status: 409, title: "Something has to end first" },
  replay_running: { status: 409, title: "Another replay is running" },
  test_clock_advancing: { status: 409, title: "The test clock is being advanced" },
  no_webhook_url: { status: 409, title: "No webhook URL can receive events" },
  offer_contradicts_partner: { status: 409, title: "The partner bank says something else" },
  conflict: { status: 409, title: "The request conflicts with the current state" },
  body_too_large: { status: 413, title: "The request body is too large" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  amount_over_limit: { status: 422, title: "The amount is above the limit" },
  insufficient_balance: { status: 422, title: "The settled balance is too low" },
  account_unresolved: { status: 422, title: "The bank account could not be found" },
  proof_required: { status: 429, title: "A proof of work is required" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal_error: { status: 500, title: "Something went wrong on our side" },
  crypto_unavailable: { status: 501, title: "Crypto payments are not available" },
  provider_error: { status: 502, title: "The partner bank refused the request or failed" },
  service_unavailable: { status: 503, title: "Temporarily unavailable" },
  payout_limit_exceeded: { status: 422, title: "The amount is above what may be paid out" },
  payouts_stopped: { status: 503, title: "Payouts are stopped" },
  amount_slots_exhausted: { status: 503, title: "No unique amount is available for this price" },
  provider_timeout: { status: 504, title: "The partner bank did not respond in time" },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;
/**
 * A puzzle under load: find a number n so that the SHA-256 of `${challenge}.${n}` begins with `difficulty` zero bits, and
 * repeat the call with `proof: "${challenge}.${n}"`. It can be used once, for the same kind of call at the same merchant.
 */
export type ProofChallenge = { challenge: string; difficulty: number; expires_at: string };
export type FieldError = { param: string; code: string; message: string };

/** An error of the caller, or a temporary failure that the caller should know about. Rendered in one place; nothing internal in `detail`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: FieldError[] | undefined;
  /** After how many seconds the same call may succeed, where that is known. */
  readonly retryAfterS: number | undefined;
  /** With `proof_required`: what to solve. */
  readonly proof: ProofChallenge | undefined;
  constructor(
    code: ProblemCode,
    detail: string,
    options: { errors?: FieldError[]; retryAfterS?: number; proof?: ProofChallenge; cause?: unknown } = {},
  ) {
    super(`${code}: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Problem";
    this.code = code;
    this.detail = detail;
    this.errors = options.errors;
    this.retryAfterS = options.retryAfterS;
    this.proof = options.proof;
  }
}

/** A conflict about one field, with a code of its own. */
export const conflictIn = (param: string, code: string, message: string) =>
  new Problem("conflict", message, { errors: [{ param, code, message }] });

/** Missing, another merchant's, of the other mode or malformed: callers outside get the same response for all of them. */
export const notFound = () => new Problem("not_found", "Nothing was found for this reference.");

/** Codes that do not prove that nothing was done. */
const OUTCOME_UNKNOWN: ReadonlySet<ProblemCode> = new Set([
  "service_unavailable",
  "internal_error",
  "provider_timeout",
  "provider_error",
  "request_timeout",
]);

/** Whether the error proves that nothing was done. After any other error the outcome of a command is unknown. */
export const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && !OUTCOME_UNKNOWN.has(error.code);

/** The same of what a field names instead of the path. */
const notFoundIn = (param: string) =>
  new Problem("not_found", `Nothing was found for this ${param}.`, {
    errors: [{ param, code: "not_found", message: "is unknown in the mode of the key" }],
  });

/** Rethrows an error; a not_found of a service behind gets the one text that callers outside see, or that of the field which named it. */
export function toNotFound(error: unknown, param?: string): never {
  if (!(error instanceof Problem && error.code === "not_found")) throw error;
  throw param === undefined ? notFound() : notFoundIn(param);
}

/** RFC 9457, flat. `type` is the page about the error where there is one. `mode` is present once the key was recognized. */
export type ProblemDocument = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  request_id: string;
  mode?: "test" | "live";
  errors?: FieldError[];
  proof?: ProofChallenge;
};

export function problemDocument(
  problem: Problem,
  context: { requestId: string; mode?: "test" | "live"; type?: string },
): ProblemDocument {
  return {
    type: context.type ?? "about:blank",
    title: PROBLEMS[problem.code].title,
    status: PROBLEMS[problem.code].status,
    detail: problem.detail,
    code: problem.code,
    request_id: context.requestId,
    ...(context.mode && { mode: context.mode }),
    ...(problem.errors && { errors: problem.errors }),
    ...(problem.proof && { proof: problem.proof }),
  };
}

/** The problem for fields that a schema, or a rule besides it, rejects. */
export function invalidFields(errors: FieldError[]): Problem {
  return new Problem("validation_failed", "Some fields are missing or invalid.", { errors });
}
