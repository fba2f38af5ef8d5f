import { KeyScope, WebhookEvent } from "@collect/contracts";
import { z } from "zod";
import { type Endpoint, fieldsOf, responseOf } from "../domain/endpoint.ts";
import { ProblemBody } from "./problems.ts";

export type JsonObject = Record<string, unknown>;

/** The schema of the JSON itself: amounts are numbers there, before they are parsed. */
const IN_JSON = { io: "input", unrepresentable: "any", override: tidy } as const;
const WHOLE_NUMBER = "^\\d{1,9}$";

/**
 * The schemas of all responses, webhooks and request bodies. A schema with an id in its meta has that name wherever it occurs,
 * with its examples; the others have the name of their operation.
 */
export function componentSchemas(endpoints: readonly Endpoint[]): Record<string, JsonObject> {
  const posts = endpoints.filter(({ method }) => method === "POST");
  const shapes = Object.fromEntries([
    ...endpoints.filter(({ unavailable }) => !unavailable).map((row) => [responseName(row), responseOf(row)]),
    ...[ServiceIndex, ProblemBody, ...WebhookEvent.options].map((schema) => [nameOf(schema, "unnamed"), schema]),
    ...posts.map((row) => [bodyName(row), fieldsOf(row)]),
  ]);
  const { properties, $defs } = Converted.parse(z.toJSONSchema(z.object(shapes), IN_JSON));
  const unnamed = Object.entries(properties).filter(([name]) => !Object.hasOwn($defs, name));
  const schemas = withReferences({ ...$defs, ...Object.fromEntries(unnamed) });
  const bodies = posts.map(bodyName).map((name) => [name, withNulls(schemas[name])]);
  return { ...schemas, ...Object.fromEntries(bodies) };
}

/** In a body, null is as good as absent. */
function withNulls(body: unknown): JsonObject {
  const parsed = Body.parse(body);
  const { properties, required } = parsed;
  const nullable = Object.entries(properties).map(([name, schema]) => [
    name,
    required?.includes(name) ? schema : orNull(schema),
  ]);
  return { ...parsed, properties: Object.fromEntries(nullable) };
}

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  return { ...schema, type: [type, "null"], ...(Array.isArray(values) && { enum: [...values, null] }) };
}

/** The response of `GET /`. */
const ServiceIndex = z
  .object({
    name: z.string().meta({ description: "The name of the API." }),
    version: z.literal("v1").meta({ description: "The version, as in the path." }),
    docs: z.url().nullable().meta({ description: "Null until there is a public URL." }),
    endpoints: z
      .array(z.string().regex(/^[A-Z]+ \/\S*$/))
      .meta({ description: "What a secret key can call in both modes, as `METHOD /path`." }),
    scopes: z
      .partialRecord(KeyScope, z.array(z.string()))
      .meta({ description: "The endpoints that a restricted key with a scope can call." }),
  })
  .meta({ id: "ServiceIndex", description: "What this API is, and what it can do." });

export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A schema's name: the id in its meta. */
export const nameOf = (schema: z.ZodType, otherwise: string): string => schema.meta()?.id ?? otherwise;

/** The name of an endpoint's response schema; a test asserts that every response has an id. */
export const responseName = (endpoint: Endpoint) =>
  nameOf(responseOf(endpoint), `${capitalized(endpoint.name)}Response`);

/** The body of `openPayment` is an `OpenPaymentBody`. */
export const bodyName = ({ name }: Endpoint) => `${capitalized(name)}Body`;

/** The schema of one field, for a parameter. */
export function schemaOf(schema: z.ZodType): JsonObject {
  const { $schema, ...rest } = z.toJSONSchema(schema, IN_JSON);
  return rest;
}

const Shapes = z.record(z.string(), z.record(z.string(), z.unknown()));
const Body = z.looseObject({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())),
  required: z.array(z.string()).optional(),
});
const Converted = z.object({ properties: Shapes, $defs: Shapes });

/** The converter refers to definitions next to the schema; in a document they are components. */
function withReferences(schemas: Record<string, JsonObject>): Record<string, JsonObject> {
  const read: unknown = JSON.parse(JSON.stringify(schemas), (key, value) =>
    key === "$ref" ? refTo(value.split("/").at(-1)).$ref : value,
  );
  return Shapes.parse(read);
}

const capitalized = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Removes what only a machine would read, and declares digits in a query string as integers. */
function tidy({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: JsonObject }): void {
  // The converter drops the examples of a schema with a transform. Ours are examples of the JSON.
  const examples = zodSchema instanceof z.ZodObject ? zodSchema.meta()?.examples : undefined;
  if (examples) jsonSchema.examples = examples;
  if (jsonSchema.format) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.type === "integer" && jsonSchema.maximum) jsonSchema.format = "int32";
  if (jsonSchema.pattern !== WHOLE_NUMBER) return;
  delete jsonSchema.pattern;
  Object.assign(jsonSchema, { type: "integer", format: "int32", minimum: 0, maximum: 999_999_999 });
}
