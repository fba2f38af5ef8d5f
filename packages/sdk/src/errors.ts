import type { RateLimit } from "./response.ts";

/** An invalid field, as in `errors` of a `validation_failed`. */
export type FieldError = { param: string; code: string; message: string };
/** What a `proof_required` asks for: `solveProof` finds it. It can be used once, by the same caller, until it expires. */
export type ProofChallenge = { challenge: string; difficulty: number; expires_at: string };

/**
 * A call that did not succeed. `code` is stable: one of the API's (`not_found`, `amount_over_limit`, …), or one of the client's
 * own: `network_error`, `timeout`, `unreadable_answer`, `event_gap`. `status` is null if there was no response.
 */
export class CollectError extends Error {
  readonly status: number | null;
  readonly code: string;
  readonly detail: string;
  /** Quote this id when you contact support. */
  readonly requestId: string | null;
  /** The invalid fields, with `validation_failed`. */
  readonly errors: FieldError[];
  /** Seconds after which the call may be retried, if the API returned them. */
  readonly retryAfter: number | null;
  /** The budget that the call counted against; null if it has none, or did not come that far. */
  readonly rateLimit: RateLimit | null;
  /** With `proof_required`, which is never retried by itself: solve it, and repeat the call with the result as `proof`. */
  readonly proof: ProofChallenge | null;
  constructor(
    problem: {
      status: number | null;
      code: string;
      detail: string;
      requestId?: string | null;
      errors?: FieldError[];
      retryAfter?: number | null;
      rateLimit?: RateLimit | null;
      proof?: ProofChallenge | null;
    },
    options?: { cause: unknown },
  ) {
    super(`${problem.code}: ${sentence(problem)}`, options);
    this.name = "CollectError";
    this.status = problem.status;
    this.code = problem.code;
    this.detail = problem.detail;
    this.requestId = problem.requestId ?? null;
    this.errors = problem.errors ?? [];
    this.retryAfter = problem.retryAfter ?? null;
    this.rateLimit = problem.rateLimit ?? null;
    this.proof = problem.proof ?? null;
  }
}

/** The invalid fields where there are some: "amount must be greater than 0; reference is required". */
function sentence({ detail, errors = [] }: { detail: string; errors?: FieldError[] }): string {
  return errors.map(({ param, message }) => `${param} ${message}`).join("; ") || detail;
}

export type WebhookVerificationCode =
  | "secret_invalid"
  | "body_not_raw"
  | "body_not_json"
  | "signature_missing"
  | "signature_malformed"
  | "signature_mismatch"
  | "timestamp_missing"
  | "timestamp_malformed"
  | "timestamp_too_old"
  | "timestamp_in_future";

/** A delivery that must not be trusted. `code` is stable; the message states the reason and never contains the secret. */
export class WebhookVerificationError extends Error {
  readonly code: WebhookVerificationCode;
  constructor(code: WebhookVerificationCode, message: string) {
    super(message);
    this.name = "WebhookVerificationError";
    this.code = code;
  }
}
