/** A field that was refused, as in `errors` of a `validation_failed`. */
export type FieldError = { param: string; code: string; message: string };

/**
 * A call that did not succeed. `code` is stable: one of the API's (`not_found`, `amount_over_limit`, …), or one of the client's
 * own: `network_error`, `timeout`, `unreadable_answer`. `status` is null when there was no answer at all.
 */
export class CollectError extends Error {
  readonly status: number | null;
  readonly code: string;
  readonly detail: string;
  /** Say this id when you ask about a call. */
  readonly requestId: string | null;
  /** The fields that were refused, on `validation_failed`. */
  readonly errors: FieldError[];
  /** Seconds after which the call may be made again, where the API says so. */
  readonly retryAfter: number | null;
  constructor(
    problem: {
      status: number | null;
      code: string;
      detail: string;
      requestId?: string | null;
      errors?: FieldError[];
      retryAfter?: number | null;
    },
    options?: { cause: unknown },
  ) {
    super(`${problem.code}: ${problem.detail}`, options);
    this.name = "CollectError";
    this.status = problem.status;
    this.code = problem.code;
    this.detail = problem.detail;
    this.requestId = problem.requestId ?? null;
    this.errors = problem.errors ?? [];
    this.retryAfter = problem.retryAfter ?? null;
  }
}

export type WebhookVerificationCode =
  | "secret_invalid"
  | "body_not_raw"
  | "body_not_json"
  | "signature_missing"
  | "signature_malformed"
  | "signature_mismatch";

/** A delivery that must not be believed. `code` is stable; the message says what is wrong and never contains the secret. */
export class WebhookVerificationError extends Error {
  readonly code: WebhookVerificationCode;
  constructor(code: WebhookVerificationCode, message: string) {
    super(message);
    this.name = "WebhookVerificationError";
    this.code = code;
  }
}
