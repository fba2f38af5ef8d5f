import { PROBLEMS, type ProblemCode } from "@collect/contracts";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";

/** The served document of the merchant API, parsed as far as a test's calls need it. */
const Schema = z.record(z.string(), z.unknown());
const Response = z.object({
  headers: z.record(z.string(), z.object({ $ref: z.string() })),
  content: z.record(z.string(), z.object({ schema: Schema })),
});
const Operation = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(z.object({ name: z.string(), in: z.enum(["path", "query"]), schema: Schema })).default([]),
  requestBody: z
    .object({
      required: z.boolean(),
      content: z.record(z.string(), z.object({ schema: z.object({ $ref: z.string() }) })),
    })
    .optional(),
  responses: z.record(z.string(), z.union([z.object({ $ref: z.string() }), Response])),
});
const Document = z.object({
  openapi: z.literal("3.1.0"),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  webhooks: z.record(z.string(), z.object({ post: z.looseObject({}) })),
  components: z.object({
    schemas: z.record(z.string(), z.looseObject({ examples: z.array(z.unknown()).optional() })),
    responses: z.record(z.string(), Response),
    headers: z.record(z.string(), z.object({ required: z.boolean().optional(), schema: Schema })),
    examples: z.record(z.string(), z.object({ value: z.unknown() })),
  }),
});
export type ApiOperation = z.output<typeof Operation> & { method: string; path: string };
export type ExpectedAnswer = { status: number; code: ProblemCode | null };
export type ApiContract = ReturnType<typeof readApiContract>;
type Answer = { status: number; headers: Headers; body: unknown };

/** Reads a document and validates responses against it: a body may contain no undocumented field. */
export function readApiContract(served: unknown) {
  const document = Document.parse(served);
  const { components } = document;
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  for (const [name, schema] of Object.entries(components.schemas)) ajv.addSchema(closed(schema), name);

  const operations: ApiOperation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  const responseOf = ({ responses }: ApiOperation, status: number) => {
    const found = responses[status];
    return found && "$ref" in found ? components.responses[nameIn(found.$ref)] : found;
  };
  const headerNames = new Set(Object.values(components.responses).flatMap(({ headers }) => Object.keys(headers)));
  const compiled = new WeakMap<object, ValidateFunction>();

  /** The faults of a value by a schema, which may refer to named ones. */
  function faults(value: unknown, schema: object): string {
    const validate = compiled.get(schema) ?? ajv.compile(byName(schema));
    compiled.set(schema, validate);
    return validate(value) ? "" : ajv.errorsText(validate.errors);
  }

  /** The faults of an operation's response. */
  function faultsOf(operation: ApiOperation, answer: Answer): string[] {
    const response = responseOf(operation, answer.status);
    if (!response) return [`${answer.status} is not documented`];
    const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
    const content = response.content[type];
    if (!content) return [`${type} is not documented for ${answer.status}`];
    return [
      faults(answer.body, content.schema),
      ...[...headerNames].map((name) => {
        const value = answer.headers.get(name);
        const documented = components.headers[nameIn(response.headers[name]?.$ref ?? "")];
        if (value === null) return documented?.required ? `${name} is missing` : "";
        return documented ? faults(value, documented.schema) : `${name} is not documented for ${answer.status}`;
      }),
    ].filter(Boolean);
  }

  /** Every status and code that an operation documents; successes have no code. */
  function answersOf(operation: ApiOperation): ExpectedAnswer[] {
    return Object.keys(operation.responses).flatMap((status) => {
      const schema = JSON.stringify(responseOf(operation, Number(status))?.content["application/problem+json"]?.schema);
      const codes = schema ? Codes.parse(JSON.parse(schema)).allOf[1].properties.code.enum : [null];
      return codes.map((code) => ({ status: Number(status), code }));
    });
  }

  /** The example of an operation's body. */
  function exampleBody({ requestBody }: ApiOperation): Record<string, unknown> {
    const ref = requestBody?.content["application/json"]?.schema.$ref;
    return ref ? z.record(z.string(), z.unknown()).parse(components.schemas[nameIn(ref)]?.examples?.[0]) : {};
  }

  return { document, operations, faults, faultsOf, answersOf, exampleBody };
}

const Code = z.custom<ProblemCode>((code) => Object.hasOwn(PROBLEMS, String(code)));
const Codes = z.object({
  allOf: z.tuple([z.unknown(), z.object({ properties: z.object({ code: z.object({ enum: z.array(Code) }) }) })]),
});

const nameIn = (ref: string) => ref.split("/").at(-1) ?? "";

/** The same with every object closed, so that an undocumented field is a fault. */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(byName(schema)), (_key, value) =>
    value?.type === "object" && value.properties ? { ...value, additionalProperties: false } : value,
  );
}

/** References in the validator's format: only the name. */
function byName(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (key, value) => (key === "$ref" ? nameIn(value) : value));
}
