import { z } from "zod";
import { ENDPOINTS } from "../src/endpoints.ts";
import { openApiDocument } from "../src/openapi/document.ts";

/** A schema of the OpenAPI document, as far as the reference shows it. */
export type Schema = z.output<typeof Schema>;
const Schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  required: z.array(z.string()).optional(),
  examples: z.array(z.unknown()).optional(),
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  get items() {
    return Schema.optional();
  },
  get anyOf() {
    return z.array(Schema).optional();
  },
});

const Content = z.record(
  z.string(),
  z.object({ schema: Schema.optional(), examples: z.record(z.string(), z.unknown()).optional() }),
);
const Response = z.object({
  $ref: z.string().optional(),
  description: z.string().optional(),
  content: Content.optional(),
});
const Parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean(),
  description: z.string().optional(),
  schema: Schema,
});
const Described = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  "x-repeatable": z.enum(["always", "with_reference", "never"]).optional(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), Response),
});
const Document = z.object({
  info: z.object({ description: z.string() }),
  tags: z.array(z.object({ name: z.string() })),
  servers: z.array(z.object({ url: z.string() })).min(1),
  paths: z.record(z.string(), z.record(z.string(), Described)),
  webhooks: z.record(z.string(), z.object({ post: Described })),
  components: z.object({ schemas: z.record(z.string(), Schema), responses: z.record(z.string(), Response) }),
});

/** The document that the gateway serves, which the reference shows as pages. */
export const DOCUMENT = Document.parse(openApiDocument(ENDPOINTS));

/** An operation, or an event that webhooks send: `GET /balance`, `collection.success`. */
export type Operation = ReturnType<typeof operationOf>;
export const OPERATIONS = [
  ...Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(`${method.toUpperCase()} ${path}`, described)),
  ),
  ...Object.entries(DOCUMENT.webhooks).map(([event, { post }]) => operationOf(event, post)),
];

/** `#/components/schemas/Payment` as the schema itself. */
export function resolved(schema: Schema): Schema {
  const named = DOCUMENT.components.schemas[nameIn(schema.$ref)];
  return named ? { ...named, ...(schema.description && { description: schema.description }) } : schema;
}

function operationOf(title: string, described: z.output<typeof Described>) {
  const { operationId: id, tags, requestBody, responses, ...rest } = described;
  const given = Object.entries(responses).map(([status, response]) => ({ status, ...responseOf(response) }));
  const succeeded = given.filter(({ status }) => status.startsWith("2"));
  return {
    ...rest,
    id,
    title,
    tag: tags[0],
    body: requestBody?.content["application/json"]?.schema,
    succeeded,
    response: succeeded[0]?.content?.["application/json"]?.schema,
    refusals: given.flatMap(({ content }) => Object.keys(content?.["application/problem+json"]?.examples ?? {})),
  };
}

function responseOf(response: z.output<typeof Response>): z.output<typeof Response> {
  return DOCUMENT.components.responses[nameIn(response.$ref)] ?? response;
}

function nameIn(reference = ""): string {
  return reference.split("/").at(-1) ?? "";
}
