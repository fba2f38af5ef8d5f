import type { ProblemCode, RequestContract } from "@collect/contracts";
import { z } from "zod";
import type { Budget, PublicLimit } from "./rate-limit.ts";

/** A row of the merchant API: a route, its callers, and the request that produces its response. */
export type Endpoint = ReadEndpoint | WriteEndpoint;
export type ReadEndpoint = Row & { method: "GET" };
export type WriteEndpoint = Row & { method: "POST"; repeatable: Repeatable };

type Row = {
  /** The operation's name in the document and the SDK. */
  name: string;
  path: `/${string}`;
  /** The required key. `none`: anyone with the session's reference can call it. */
  key: "secret" | "public" | "none";
  /** The merchant's hourly budget that a call with a secret key counts against. */
  budget?: Budget;
  /** The limit of a call without a secret key: per session, or per merchant of the public key. */
  limit?: PublicLimit;
  testOnly?: true;
  request: RequestContract;
  /** The fields that a caller can send, in the query of a GET or the body of a POST. The path and the key supply the rest of the request. */
  fields?: z.ZodObject;
  /** The field of the upstream reply that is the response body, with status 201 if the reply's `created` is true, else 200. Without it, 200 and the whole reply. */
  created?: string;
  /** It is always refused for now. */
  unavailable?: true;
  /** One sentence for the document and the SDK. */
  summary: string;
  /** The errors of the upstream service, besides those that follow from the key, the budget and the method. */
  problems?: readonly ProblemCode[];
};

/**
 * Whether a call without a response may be retried. `always`: it is idempotent. `with_reference`: only if its reference makes
 * it idempotent. `never`: each call moves (test) money.
 */
export type Repeatable = "always" | "with_reference" | "never";

export function repeatabilityOf(endpoint: Endpoint): Repeatable {
  return endpoint.method === "GET" ? "always" : endpoint.repeatable;
}

/** The index lists the endpoints that take a secret key in both modes. */
export function isListed({ key, testOnly }: Endpoint): boolean {
  return key === "secret" && !testOnly;
}

export function fieldsOf({ fields = NONE }: Endpoint): z.ZodObject {
  return fields;
}
const NONE = z.object({}).meta({ examples: [{}] });

/** The schema of a successful response. */
export function responseOf({ request: { output }, created }: Endpoint): z.ZodType {
  return created && output instanceof z.ZodObject ? output.shape[created] : output;
}

/** The names of a path's parameters. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

/** `/payments/:reference` in the notation of OpenAPI: `/payments/{reference}`. */
export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}
