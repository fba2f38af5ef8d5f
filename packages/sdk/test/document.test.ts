import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { generated } from "../document.ts";
import { OPERATIONS } from "../generated/operations.ts";
import { createClient } from "../src/index.ts";

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");

test("the generated files match the document; `npm run document` writes them", async () => {
  for (const [name, text] of Object.entries(await generated())) expect(await read(`../generated/${name}`)).toBe(text);
});

test("every documented operation that needs a key has a method, and no other does", async () => {
  const document: Document = JSON.parse(await read("../openapi.json"));
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(
        ([method, operation]) => ["get", "post"].includes(method) && needsKey(operation.security ?? document.security),
      )
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  const known = Object.values(OPERATIONS).map(({ method, path }) => `${method} ${path}`);
  expect(known.sort()).toEqual(documented.sort());
  const { followEvents, ...methods } = createClient({ key: "sk_test_x" });
  expect(Object.keys(methods).sort()).toEqual(Object.keys(OPERATIONS).sort());
});

const HOW =
  "add .meta({ description }) to it in packages/contracts/src/merchant-api; parameters of a path: IN_PATH in services/gateway/src/openapi/operation.ts";

test("every schema, every property and every parameter says what it means", async () => {
  const { components, paths }: Document = JSON.parse(await read("../openapi.json"));
  const { schemas } = components;
  const isDescribed = ({ description, $ref }: Schema): boolean =>
    Boolean(description ?? schemas[$ref?.split("/").at(-1) ?? ""]?.description);
  const described = Object.entries(schemas).flatMap(([name, schema]) => named(name, schema));
  const parameters = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      (operation.parameters ?? []).map((given): Named => [`${method} ${path}: ${given.name}`, given]),
    ),
  );
  expect(described.length).toBeGreaterThan(300);
  expect(parameters.length).toBeGreaterThan(30);
  const silent = [...described, ...parameters].filter(([, schema]) => !isDescribed(schema)).map(([name]) => name);
  expect(silent, HOW).toEqual([]);
});

type Schema = {
  description?: string;
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};
type Named = [name: string, schema: Schema];

/** The schema and all properties in it, each by its path. */
function named(name: string, schema: Schema): Named[] {
  return [[name, schema], ...propertiesOf(name, schema)];
}

function propertiesOf(name: string, { properties = {}, items, anyOf = [] }: Schema): Named[] {
  return [
    ...Object.entries(properties).flatMap(([property, schema]) => named(`${name}.${property}`, schema)),
    ...(items ? propertiesOf(`${name}[]`, items) : []),
    ...anyOf.flatMap((alternative) => propertiesOf(name, alternative)),
  ];
}

type Security = Record<string, unknown>[];
type Operation = { security?: Security; parameters?: ({ name: string } & Schema)[] };
type Document = {
  security?: Security;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const needsKey = (security: Security = []) =>
  security.length > 0 && security.every((alternative) => Object.keys(alternative).length > 0);
