import { readFile, writeFile } from "node:fs/promises";
import openapi, { astToString, type OpenAPI3 } from "openapi-typescript";
import { methodsOf, operationsOf } from "./operations-document.ts";

/** Generates code from openapi.json, the gateway's document: its types, the operations that take a key, and the client's methods. */
const here = new URL("./", import.meta.url);
const HEAD = "// Written by `npm run document` from openapi.json.\n\n";

export async function generated(): Promise<Record<string, string>> {
  const document = await readFile(new URL("openapi.json", here), "utf8");
  const described: OpenAPI3 = JSON.parse(document);
  const files = {
    "openapi.ts": astToString(await openapi(described)),
    "operations.ts": operationsOf(document),
    "methods.ts": methodsOf(document),
  };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, HEAD + text]));
}

if (import.meta.main)
  for (const [name, text] of Object.entries(await generated()))
    await writeFile(new URL(`generated/${name}`, here), text);
