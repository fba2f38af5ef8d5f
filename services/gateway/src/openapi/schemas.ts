import { WebhookEvent } from "@collect/contracts";
import { z } from "zod";
import { answerOf, type Endpoint, fieldsOf } from "../domain/endpoint.ts";
import { ProblemBody } from "./problems.ts";

export type JsonObject = Record<string, unknown>;

/** What stands in the JSON: amounts are numbers there, whatever they become inside. */
const IN_JSON = { io: "input", unrepresentable: "any", override: tidy } as const;
const WHOLE_NUMBER = "^\\d{1,9}$";

/**
 * Everything that is answered, sent to webhooks or taken as a body. What has an id in its schema's meta stands under that name
 * wherever it occurs, with the examples that are there; the rest under the name of its operation.
 */
export function componentSchemas(endpoints: readonly Endpoint[]): Record<string, JsonObject> {
  const shapes = Object.fromEntries([
    ...endpoints.filter(({ unavailable }) => !unavailable).map((row) => [answerName(row), answerOf(row)]),
    ...[ServiceIndex, ProblemBody, ...WebhookEvent.options].map((schema) => [nameOf(schema, "unnamed"), schema]),
    ...endpoints.filter(({ method }) => method === "POST").map((row) => [bodyName(row), fieldsOf(row)]),
  ]);
  const { properties, $defs } = Converted.parse(z.toJSONSchema(z.object(shapes), IN_JSON));
  const unnamed = Object.entries(properties).filter(([name]) => !Object.hasOwn($defs, name));
  return withReferences({ ...$defs, ...Object.fromEntries(unnamed) });
}

/** What `GET /` answers. */
const ServiceIndex = z
  .object({
    name: z.string(),
    version: z.literal("v1"),
    docs: z.url().nullable().meta({ description: "Null until there is a public address." }),
    endpoints: z.array(z.string().regex(/^[A-Z]+ \/\S*$/)),
  })
  .meta({ id: "ServiceIndex" });

export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The name of a shape: the id in its meta. */
export const nameOf = (schema: z.ZodType, otherwise: string): string => schema.meta()?.id ?? otherwise;

/** The name of the shape that an endpoint answers with; a test wants every answer to have an id. */
export const answerName = (endpoint: Endpoint) => nameOf(answerOf(endpoint), `${capitalised(endpoint.name)}Answer`);

/** `openPayment` takes an `OpenPaymentBody`. */
export const bodyName = ({ name }: Endpoint) => `${capitalised(name)}Body`;

/** The schema of one field, for a parameter. */
export function schemaOf(schema: z.ZodType): JsonObject {
  const { $schema, ...rest } = z.toJSONSchema(schema, IN_JSON);
  return rest;
}

const Shapes = z.record(z.string(), z.record(z.string(), z.unknown()));
const Converted = z.object({ properties: Shapes, $defs: Shapes });

/** The converter refers to what it has named beside the schema; a document has a place for it. */
function withReferences(schemas: Record<string, JsonObject>): Record<string, JsonObject> {
  const read: unknown = JSON.parse(JSON.stringify(schemas), (key, value) =>
    key === "$ref" ? refTo(value.split("/").at(-1)).$ref : value,
  );
  return Shapes.parse(read);
}

const capitalised = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Leaves out what only a machine would read, and says what a query string's digits are. */
function tidy({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: JsonObject }): void {
  // The converter drops the examples of what is transformed when it is parsed. Ours are as they stand in the JSON.
  const examples = zodSchema instanceof z.ZodObject ? zodSchema.meta()?.examples : undefined;
  if (examples) jsonSchema.examples = examples;
  if (jsonSchema.format) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.pattern !== WHOLE_NUMBER) return;
  delete jsonSchema.pattern;
  Object.assign(jsonSchema, { type: "integer", minimum: 0 });
}
