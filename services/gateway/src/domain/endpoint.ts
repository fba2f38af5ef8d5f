import type { CheckoutLimit, KeyScope, ProblemCode, RequestContract, WireResult } from "@collect/contracts";
import { z } from "zod";
import type { Budget } from "./rate-limit.ts";

/** The URL of the API that `npm start` runs. */
export const SANDBOX_URL = "http://localhost:4000/v1";

/** A row of the merchant API: a route, its callers, and the request that produces its response. */
export type Endpoint = ReadEndpoint | WriteEndpoint;
export type ReadEndpoint = Row & { method: "GET" };
export type WriteEndpoint = Row & { method: "POST"; repeatable: Repeatable };

type Row = Access & {
  /** The operation's name in the document and the SDK. */
  name: string;
  path: `/${string}`;
  /** The merchant's hourly budget that a call with a secret key counts against. */
  budget?: Budget;
  /** The limit of a call without a key, per session. The checkout counts it, on its own host, too. */
  limit?: CheckoutLimit;
  testOnly?: true;
  /** It can be held until there is an event to return. */
  awaitsEvents?: true;
  request: RequestContract;
  /**
   * The fields that a caller can send, in the query of a GET or the body of a POST. The path and the key supply the rest of the request.
   * A list that takes none has `NO_FIELDS`: a parameter that a list does not have is refused.
   */
  fields?: z.ZodObject;
  /** The field of the upstream reply that is the response body, with status 201 if the reply's `created` is true, else 200. Without it, 200 and the whole reply. */
  created?: string;
  /** The field that names something that exists already, where the path does not: a `not_found` names this field. */
  names?: string;
  /** Finds by the reference alone what an earlier call created: a repeat returns it, even if its other fields are invalid. */
  findRepeated?: RequestContract;
  /** How the audit log calls it and what it says about it, never secrets; only with a live key if `liveOnly`. */
  audit?: {
    action: string;
    detail: (fields: Record<string, unknown>) => Record<string, unknown>;
    liveOnly?: true;
    /** Finds by the fields of the call what it would create. Only a call for which there is none yet is recorded. */
    ifNew?: RequestContract;
  };
  /** It is always refused for now. */
  unavailable?: true;
  /** One sentence for the document and the SDK. */
  summary: string;
  /** What the document says beside the summary and what follows from the other columns. */
  details?: string;
  /** The errors of the upstream service, besides those that follow from the key, the budget and the method. */
  problems?: readonly ProblemCode[];
};

/**
 * The required key, and the scope by which a restricted key can be used in place of a secret one. `none`: anyone with the session's
 * reference can call it.
 */
export type Access = { key: "secret"; scope: KeyScope } | { key: "public" | "none"; scope?: undefined };

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

/** The listed endpoints that each scope opens, as `GET /balance`; a scope that opens none is omitted. */
export function scopesOf(endpoints: readonly Endpoint[]): Record<string, string[]> {
  const byScope = Map.groupBy(endpoints.filter(isListed), ({ scope }) => scope);
  return Object.fromEntries(
    [...byScope].map(([scope, rows]) => [scope, rows.map(({ method, path }) => `${method} ${templateOf(path)}`)]),
  );
}

export function fieldsOf({ fields = NO_FIELDS }: Endpoint): z.ZodObject {
  return fields;
}
export const NO_FIELDS = z.object({}).meta({ description: "No fields.", examples: [{}] });

/** Whether an unknown parameter is refused: a list with a misspelt filter would be the list of everything. */
export const refusesUnknown = ({ method, fields }: Endpoint): boolean => method === "GET" && fields !== undefined;

/** Whether a page of any origin could send the call by a form, as it needs no key. */
export const isOpenToForms = ({ method, key }: Endpoint): boolean => method === "POST" && key === "none";

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

/** The other columns of a row; `created` is a field of the reply. */
type RowOf<Contract extends RequestContract> = Omit<ReadEndpoint, "method" | "path" | keyof Access> &
  Access & {
    request: Contract;
    names?: keyof z.input<Contract["input"]>;
    created?: keyof WireResult<Contract>;
  };

export function get<Contract extends RequestContract>(path: Endpoint["path"], row: RowOf<Contract>): Endpoint {
  return { method: "GET", path, ...row };
}

export function post<Contract extends RequestContract>(
  path: Endpoint["path"],
  row: RowOf<Contract> & Pick<WriteEndpoint, "repeatable">,
): Endpoint {
  return { method: "POST", path, ...row };
}
