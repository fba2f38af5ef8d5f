import { type Endpoint, fieldsOf, parametersOf, repeatabilityOf } from "../domain/endpoint.ts";
import { PUBLIC_LIMITS } from "../domain/rate-limit.ts";
import { responsesOf } from "./responses.ts";
import { bodyName, type JsonObject, refTo, schemaOf } from "./schemas.ts";

const SECURITY = { secret: [{ secret_key: [] }], public: [{ public_key: [] }], none: [] };
/** What the query schemas cannot express. */
const QUERY: Record<string, JsonObject> = {
  limit: { minimum: 1, default: 20, description: "Larger values are reduced to 100." },
  offset: { default: 0, description: "How many of the newest to skip." },
};
const FORM = "application/x-www-form-urlencoded";

/** One row of the table as an operation of the document. */
export function operationOf(endpoint: Endpoint): JsonObject {
  const { name, method, path, key, summary } = endpoint;
  const parameters = [...inPath(endpoint), ...(method === "GET" ? inQuery(endpoint) : [])];
  return {
    operationId: name,
    tags: [tagOf(path)],
    summary,
    description: descriptionOf(endpoint),
    security: SECURITY[key],
    "x-repeatable": repeatabilityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(method === "POST" && { requestBody: bodyOf(endpoint) }),
    responses: responsesOf(endpoint),
  };
}

/** `/customer_accounts/…` belongs to "Customer accounts". */
export function tagOf(path: string): string {
  const [, noun = ""] = path.split("/");
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1).replaceAll("_", " ")}`;
}

function inPath({ request, path }: Endpoint): JsonObject[] {
  return parametersOf(path).map((name) => {
    const schema = request.input.shape[name];
    return { name, in: "path", required: true, schema: schema ? schemaOf(schema) : { type: "string" } };
  });
}

function inQuery(endpoint: Endpoint): JsonObject[] {
  return Object.entries(fieldsOf(endpoint).shape).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: { ...schemaOf(schema), ...QUERY[name] },
  }));
}

function bodyOf(endpoint: Endpoint): JsonObject {
  const schema = refTo(bodyName(endpoint));
  const required = !fieldsOf(endpoint).safeParse({}).success;
  return { required, content: { "application/json": { schema }, [FORM]: { schema } } };
}

function descriptionOf({ budget, limit, key, testOnly, created }: Endpoint): string | undefined {
  const sentences = [
    testOnly && "Test keys only.",
    created && "201 when it is created, 200 with its current state when it already exists.",
    budget && BUDGETS[budget],
    limit &&
      `At most ${PUBLIC_LIMITS[limit]} calls a minute per ${key === "public" ? "merchant" : "session"}, across all callers.`,
  ];
  return sentences.filter(Boolean).join(" ") || undefined;
}

/** The defaults; an operator can set other limits for a merchant. */
const BUDGETS = {
  accounts: "300 calls in any 60 minutes, successful or not.",
  reads: "Counts against the merchant's 600 reads in any 60 minutes.",
  resolves: "60 calls in any 60 minutes, successful or not.",
};
