import { CHECKOUT_LIMITS } from "@collect/contracts";
import { type Endpoint, fieldsOf, parametersOf, repeatabilityOf } from "../domain/endpoint.ts";
import { responsesOf } from "./responses.ts";
import { bodyName, type JsonObject, refTo, schemaOf } from "./schemas.ts";

/** Parameters in a path, by the noun that it begins with, where the schema does not describe them. */
const IN_PATH: Record<string, string> = {
  payments: "The session's `reference`, `pay_…`; not your own.",
  transfers: "The transfer's `reference`, `trf_…`; not your own.",
  collections: "The `reference` of the collection, `pay_…` or `col_…`.",
  settlements: "The settlement's `id`, `stl_…`.",
  events: "The event's `id`, `evt_…`: the `webhook-id` of its deliveries.",
  checkout: "The session's `reference`, `pay_…`.",
};

/** What the query schemas cannot express. */
const QUERY: Record<string, JsonObject> = {
  limit: { minimum: 1, default: 20, description: "Larger values are reduced to 100." },
  offset: { default: 0 },
};
const FORM = "application/x-www-form-urlencoded";
/** `metadata[order]=17` */
const AS_KEYS = { style: "deepObject", explode: true };

/** One row of the table as an operation of the document. */
export function operationOf(endpoint: Endpoint): JsonObject {
  const { name, method, path, summary } = endpoint;
  const parameters = [...inPath(endpoint), ...(method === "GET" ? inQuery(endpoint) : [])];
  return {
    operationId: name,
    tags: [tagOf(path)],
    summary,
    description: descriptionOf(endpoint),
    security: securityOf(endpoint),
    "x-repeatable": repeatabilityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(method === "POST" && { requestBody: bodyOf(endpoint) }),
    responses: responsesOf(endpoint),
  };
}

/** `/customer_accounts/…` belongs to "Customer accounts". */
export function tagOf(path: string): string {
  const noun = nounOf(path);
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1).replaceAll("_", " ")}`;
}

const nounOf = (path: string): string => path.split("/")[1] ?? "";

/** The keys that it takes; a restricted one with the scope, which OpenAPI 3.1 calls a role. */
function securityOf({ key, scope }: Endpoint): JsonObject[] {
  if (key === "none") return [];
  return key === "public" ? [{ public_key: [] }] : [{ secret_key: [] }, { restricted_key: [scope] }];
}

function inPath({ request, path }: Endpoint): JsonObject[] {
  return parametersOf(path).map((name) => {
    const schema = request.input.shape[name];
    const described = schema ? schemaOf(schema) : { type: "string" };
    return parameter({ name, in: "path", required: true }, { description: IN_PATH[nounOf(path)], ...described });
  });
}

function inQuery(endpoint: Endpoint): JsonObject[] {
  return Object.entries(fieldsOf(endpoint).shape).map(([name, schema]) =>
    parameter({ name, in: "query", required: false }, { ...schemaOf(schema), ...QUERY[name] }),
  );
}

/** The description is the parameter's own, where readers and tools look for it. */
const parameter = (named: JsonObject, { description, ...schema }: JsonObject): JsonObject => ({
  ...named,
  description,
  schema,
});

function bodyOf(endpoint: Endpoint): JsonObject {
  const schema = refTo(bodyName(endpoint));
  const required = !fieldsOf(endpoint).safeParse({}).success;
  const form = { schema, ...("metadata" in fieldsOf(endpoint).shape && { encoding: { metadata: AS_KEYS } }) };
  return { required, content: { "application/json": { schema }, [FORM]: form } };
}

function descriptionOf(endpoint: Endpoint): string | undefined {
  const { budget, limit, scope, testOnly, created, findRepeated, details } = endpoint;
  const sentences = [
    details,
    testOnly && "Test keys only.",
    created && "201 when it is created, 200 with its current state when it already exists.",
    findRepeated && "The reference of a repeat is looked up first: the rest of its body may be missing or invalid.",
    scope && `A restricted key needs the scope \`${scope}\`.`,
    budget && BUDGETS[budget],
    limit &&
      `At most ${CHECKOUT_LIMITS[limit]} calls a minute per session, by all callers together, here and on the checkout host; it counts against no budget of the merchant.`,
    limit &&
      Object.keys(fieldsOf(endpoint).shape).length > 0 &&
      "A call that is refused here for its fields is not counted.",
  ];
  return sentences.filter(Boolean).join(" ") || undefined;
}

/** The defaults; an operator can set other limits for a merchant. */
const BUDGETS = {
  accounts: "300 calls in any 60 minutes, successful or not.",
  reads: "Counts against the merchant's 600 reads in any 60 minutes.",
};
