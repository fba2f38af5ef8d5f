import { type Endpoint, fieldsOf, parametersOf, repeatabilityOf } from "../domain/endpoint.ts";
import { PUBLIC_LIMITS } from "../domain/rate-limit.ts";
import { responsesOf } from "./responses.ts";
import { bodyName, type JsonObject, refTo, schemaOf } from "./schemas.ts";

const SECURITY = { secret: [{ secret_key: [] }], public: [{ public_key: [] }], none: [] };
/** What the schemas of a query cannot say. */
const QUERY: Record<string, JsonObject> = {
  limit: { minimum: 1, default: 20, description: "More than 100 counts as 100." },
  offset: { default: 0, description: "How many to leave out, from the newest." },
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
    created && "201 when it is new, 200 with the same body when it is known.",
    budget && BUDGETS[budget],
    limit &&
      `At most ${PUBLIC_LIMITS[limit]} calls a minute for one ${key === "public" ? "merchant" : "session"}, from all callers together.`,
  ];
  return sentences.filter(Boolean).join(" ") || undefined;
}

/** The defaults; a merchant can be given other figures. */
const BUDGETS = {
  accounts: "300 calls in any 60 minutes, whatever their outcome.",
  reads: "Shares the merchant's 600 reads in any 60 minutes.",
  resolves: "60 calls in any 60 minutes, whatever their outcome.",
};
