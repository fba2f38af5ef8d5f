import type { paths } from "../generated/openapi.ts";
import { OPERATIONS } from "../generated/operations.ts";
import type { PagePromise } from "./pages.ts";
import type { ApiPromise } from "./response.ts";

/**
 * When a call without a proper response may be retried. `always`: it only reads, or is idempotent. `with_reference`: only if
 * its reference makes it idempotent. `never`: each call moves (test) money.
 */
export type Repeatable = "always" | "with_reference" | "never";

type Operation = { method: string; path: keyof paths; repeatable: Repeatable };

export function operation(name: Name): Operation {
  return OPERATIONS[name];
}

/** How one call is made. */
export type CallOptions = {
  /** Ends the call, whatever it waits for: it is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Per attempt, until the last byte of the response; instead of the client's. */
  timeoutMs?: number;
};

export type Parts = {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: object;
  options?: CallOptions;
};

/** Calls an operation, or reads a list. */
export type Calls = {
  call<Of extends Name>(name: Of, parts?: Parts): ApiPromise<Result<Of>>;
  list<Of extends Name>(name: Of, parts?: Parts): PagePromise<Result<Of>>;
};

type Operations = typeof OPERATIONS;
export type Name = keyof Operations;
type Documented<Of extends Name> = paths[Operations[Of]["path"]][Lowercase<Operations[Of]["method"]>];

/** The body of an operation. */
export type Body<Of extends Name> =
  Documented<Of> extends { requestBody?: { content: { "application/json": infer Json } } } ? Json : never;

/** The query parameters of an operation. */
export type Query<Of extends Name> = Documented<Of> extends { parameters: { query?: infer Fields } } ? Fields : never;

/** The response of an operation that succeeds. */
export type Result<Of extends Name> =
  Documented<Of> extends { responses: infer Responses }
    ? JsonOf<Responses[Extract<keyof Responses, 200 | 201>]>
    : never;
type JsonOf<Response> = Response extends { content: { "application/json": infer Json } } ? Json : never;
