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
  expect(Object.keys(createClient({ key: "sk_test_x" })).sort()).toEqual(Object.keys(OPERATIONS).sort());
});

type Security = Record<string, unknown>[];
type Document = { security?: Security; paths: Record<string, Record<string, { security?: Security }>> };

const needsKey = (security: Security = []) =>
  security.length > 0 && security.every((alternative) => Object.keys(alternative).length > 0);
