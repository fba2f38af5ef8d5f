import type { ProblemCode, RequestContract } from "@collect/contracts";
import { z } from "zod";
import type { Budget, PublicLimit } from "./rate-limit.ts";

/** A row of the merchant API: a route, who may call it, and the request of which its answer is made. */
export type Endpoint = ReadEndpoint | WriteEndpoint;
export type ReadEndpoint = Row & { method: "GET" };
export type WriteEndpoint = Row & { method: "POST"; repeatable: Repeatable };

type Row = {
  /** What the operation is called in the document, and so in the SDK. */
  name: string;
  path: `/${string}`;
  /** Whose calls it takes. `none`: those of anyone who knows the reference of the session. */
  key: "secret" | "public" | "none";
  /** The hourly budget of its merchant that a call with a secret key spends. */
  budget?: Budget;
  /** What limits a call without a secret key: of one session, or of the public key's merchant. */
  limit?: PublicLimit;
  testOnly?: true;
  request: RequestContract;
  /** What a caller may send, in the query of a GET or the body of a POST. The rest of the request is said by the path and the key. */
  fields?: z.ZodObject;
  /** The field of the reply that is the answer: 201 if the reply says `created`, else 200. Without it 200 and the whole reply. */
  created?: string;
  /** It can be refused only, for the time being. */
  unavailable?: true;
  /** One sentence for the document and the SDK. */
  summary: string;
  /** What the upstream service may refuse it with, besides what follows from the key, the budget and the method. */
  problems?: readonly ProblemCode[];
};

/**
 * Whether a call that got no answer may be made again. `always`: the same call again has the same effect as one.
 * `with_reference`: only if it carries the reference that makes it so. `never`: each call moves (test) money.
 */
export type Repeatable = "always" | "with_reference" | "never";

export function repeatabilityOf(endpoint: Endpoint): Repeatable {
  return endpoint.method === "GET" ? "always" : endpoint.repeatable;
}

/** The index lists what a secret key can reach in both modes. */
export function isListed({ key, testOnly }: Endpoint): boolean {
  return key === "secret" && !testOnly;
}

export function fieldsOf({ fields = NONE }: Endpoint): z.ZodObject {
  return fields;
}
const NONE = z.object({}).meta({ examples: [{}] });

/** The schema of what a call that succeeds is answered with. */
export function answerOf({ request: { output }, created }: Endpoint): z.ZodType {
  return created && output instanceof z.ZodObject ? output.shape[created] : output;
}

/** What stands for a reference in a path. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

/** `/payments/:reference` as it is written for people and in OpenAPI: `/payments/{reference}`. */
export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}
