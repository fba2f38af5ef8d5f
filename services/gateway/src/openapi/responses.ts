import { PROBLEMS, type ProblemCode } from "@collect/contracts";
import type { Endpoint } from "../domain/endpoint.ts";
import { problemExample, problemsOf } from "./problems.ts";
import { type JsonObject, refTo, responseName } from "./schemas.ts";

/** Headers by name; those not required may be missing. */
export const HEADERS = {
  "X-Request-Id": {
    description: "Identifies the call in our logs; your own X-Request-Id is echoed if it is valid.",
    required: true,
    schema: { type: "string" },
  },
  "RateLimit-Policy": {
    description: "The budget that the call counts against, as in draft-ietf-httpapi-ratelimit-headers-08.",
    schema: { type: "string", examples: ['"reads";q=600;w=3600'] },
  },
  RateLimit: {
    description: "The remaining budget, and the seconds until it increases.",
    schema: { type: "string", examples: ['"reads";r=599;t=3660'] },
  },
  "Retry-After": {
    description: "Seconds until the next call is accepted.",
    required: true,
    schema: { type: "string", pattern: "^\\d+$" },
  },
  "Retry-After-If-Known": {
    description: "Seconds after which the same call may succeed, where that is known.",
    schema: { type: "string", pattern: "^\\d+$" },
  },
  "WWW-Authenticate": { description: "How to authenticate.", required: true, schema: { const: "Bearer" } },
} as const;
type Header = keyof typeof HEADERS;

/** Every response of an endpoint by status, errors included. */
export function responsesOf(endpoint: Endpoint): JsonObject {
  const refusals = refusalsOf(endpoint).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]);
  return { ...(!endpoint.unavailable && successes(endpoint)), ...Object.fromEntries(refusals) };
}

/** The error responses that those refer to. */
export function refusalComponents(endpoints: readonly Endpoint[]): JsonObject {
  return Object.fromEntries(endpoints.flatMap(refusalsOf).map((given) => [given.name, refusal(given)]));
}

/** A successful response with this schema. */
export function success(description: string, schema: string, counted: boolean): JsonObject {
  return {
    description,
    headers: headers("X-Request-Id", ...(counted ? COUNTED : [])),
    content: { "application/json": { schema: refTo(schema) } },
  };
}

/** One example per error code. */
export function problemExamples(endpoints: readonly Endpoint[]): JsonObject {
  const codes = new Set(endpoints.flatMap(problemsOf));
  return Object.fromEntries([...codes].map((code) => [code, { value: problemExample(code) }]));
}

const COUNTED = ["RateLimit-Policy", "RateLimit"] as const;

const isCounted = ({ budget }: Endpoint) => budget !== undefined;

function successes(endpoint: Endpoint): JsonObject {
  const name = responseName(endpoint);
  const counted = isCounted(endpoint);
  if (!endpoint.created) return { 200: success("Success.", name, counted) };
  return {
    200: success("It already existed.", name, counted),
    201: success("Created.", name, counted),
  };
}

type Refusal = { name: string; status: number; codes: ProblemCode[]; counted: boolean };

function refusalsOf(endpoint: Endpoint): Refusal[] {
  const byStatus = Map.groupBy(problemsOf(endpoint), (code) => PROBLEMS[code].status);
  return [...byStatus].map(([status, codes]) => {
    // A call with an invalid key is not counted, nor is one that is never received completely.
    const counted = isCounted(endpoint) && status !== 401 && status !== 408;
    return { name: `${codes.join("_or_")}${counted ? "_counted" : ""}`, status, codes, counted };
  });
}

function refusal({ status, codes, counted }: Refusal): JsonObject {
  // A proof of work can be given at once.
  const isWait = status === 429 && codes.every((code) => code === "rate_limited");
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(" "),
    headers: {
      ...headers(
        "X-Request-Id",
        ...(counted ? COUNTED : []),
        ...(isWait ? (["Retry-After"] as const) : []),
        ...(status === 401 ? (["WWW-Authenticate"] as const) : []),
      ),
      ...((status === 503 || (status === 429 && !isWait)) && { "Retry-After": refToHeader("Retry-After-If-Known") }),
    },
    content: {
      "application/problem+json": {
        schema: {
          allOf: [
            refTo("Problem"),
            {
              type: "object",
              properties: { status: { type: "integer", const: status }, code: { type: "string", enum: codes } },
            },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function headers(...names: Header[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, refToHeader(name)]));
}

const refToHeader = (name: Header) => ({ $ref: `#/components/headers/${name}` });
