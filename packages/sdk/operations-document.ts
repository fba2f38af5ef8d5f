import { z } from "zod";

/** The table of operations, as TypeScript. */
export function operationsOf(document: string): string {
  const rows = keyed(document).map(({ name, method, path, repeatable }) => {
    const row = `{ method: "${method}", path: "${path}", repeatable: "${repeatable}" }`;
    return `  ${name}: ${row},\n`;
  });
  return `/** Every operation that takes a key. */\nexport const OPERATIONS = {\n${rows.join("")}} as const;\n`;
}

/** The schemas of the document, each as a type of its name. */
export function schemasOf(document: string): string {
  const { components } = Schemas.parse(JSON.parse(document));
  const types = Object.entries(components.schemas).map(
    ([name, { description }]) => `/** ${description} */\nexport type ${name} = Schemas["${name}"];\n`,
  );
  return `import type { components } from "./openapi.ts";\n\ntype Schemas = components["schemas"];\n\n${types.join("")}`;
}

/** The client's methods, one for each operation. */
export function methodsOf(document: string): string {
  const types = 'import type { Body, CallOptions, Calls, Query } from "../src/operations.ts";\n\n';
  return `${types}export const methodsOf = ({ call, list }: Calls) => ({\n${keyed(document).map(method).join("")}});\n`;
}

const RETRIES = {
  always: "",
  with_reference: "Send your own `reference`: only then is the call idempotent, and retried automatically.",
  never: "Never retried automatically.",
};

function method({ name, path, summary, description, repeatable, ...operation }: Keyed): string {
  const comment = [summary, description, RETRIES[repeatable]].filter(Boolean).join(" ");
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => parameter);
  const { body, hasQuery } = operation;
  const given = [
    ...names.map((parameter) => `${parameter}: string`),
    ...(body ? [`body${body.required ? "" : "?"}: Body<"${name}">`] : []),
    ...(hasQuery ? [`query?: Query<"${name}">`] : []),
    "options?: CallOptions",
  ];
  const options = [
    ...(names.length > 0 ? [`path: { ${names.join(", ")} }`] : []),
    ...(body ? ["body"] : []),
    ...(hasQuery ? ["query"] : []),
    "options",
  ];
  const verb = operation.isList ? "list" : "call";
  return `  /** ${comment} */\n  ${name}: (${given.join(", ")}) => ${verb}("${name}", { ${options.join(", ")} }),\n`;
}

const Operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(z.object({ in: z.enum(["path", "query"]), name: z.string() })).default([]),
  requestBody: z.object({ required: z.boolean() }).optional(),
  "x-repeatable": z.enum(["always", "with_reference", "never"]).optional(),
});
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });
const Schema = z.object({ description: z.string() });
const Schemas = z.object({ components: z.object({ schemas: z.record(z.string(), Schema) }) });
type Keyed = ReturnType<typeof keyed>[number];

/** The operations that need a key; the others are the index and those for the payer's browser. */
function keyed(document: string) {
  const { paths } = Document.parse(JSON.parse(document));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, operation]) => ({ path, method: verb.toUpperCase(), operation })),
  );
  return operations
    .filter(({ operation }) => operation.security.length > 0)
    .map(({ path, method, operation }) => ({
      name: operation.operationId,
      path,
      method,
      summary: operation.summary,
      description: operation.description,
      repeatable: operation["x-repeatable"] ?? "never",
      body: operation.requestBody,
      hasQuery: operation.parameters.some((parameter) => parameter.in === "query"),
      isList: operation.operationId.startsWith("list") && operation.parameters.some(({ name }) => name === "limit"),
    }));
}
