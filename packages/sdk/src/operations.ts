import type { paths } from "../generated/openapi.ts";
import { OPERATIONS } from "../generated/operations.ts";

/**
 * When a call that got no proper answer may be made again. `always`: it reads, or repeating it is the same call. `with_reference`:
 * only when it carries the reference that makes it so. `never`: each call moves (test) money.
 */
export type Repeatable = "always" | "with_reference" | "never";

type Operation = { method: string; path: keyof paths; repeatable: Repeatable };

export function operation(name: Name): Operation {
  return OPERATIONS[name];
}

/** Makes the call of an operation. */
export type Call = <Of extends Name>(name: Of, parts?: Parts) => Promise<Result<Of>>;
export type Parts = { path?: Record<string, string>; query?: Record<string, unknown>; body?: object };

type Operations = typeof OPERATIONS;
export type Name = keyof Operations;
type Documented<Of extends Name> = paths[Operations[Of]["path"]][Lowercase<Operations[Of]["method"]>];

/** What an operation takes as its body. */
export type Body<Of extends Name> =
  Documented<Of> extends { requestBody?: { content: { "application/json": infer Json } } } ? Json : never;

/** What an operation takes in its query string. */
export type Query<Of extends Name> = Documented<Of> extends { parameters: { query?: infer Fields } } ? Fields : never;

/** What an operation answers with when it succeeds. */
export type Result<Of extends Name> =
  Documented<Of> extends { responses: infer Responses }
    ? JsonOf<Responses[Extract<keyof Responses, 200 | 201>]>
    : never;
type JsonOf<Response> = Response extends { content: { "application/json": infer Json } } ? Json : never;
