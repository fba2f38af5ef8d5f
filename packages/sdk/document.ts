import { readFile, writeFile } from "node:fs/promises";
import openapi, { astToString, type OpenAPI3 } from "openapi-typescript";
import { methodsOf, operationsOf, schemasOf } from "./operations-document.ts";

/** Generates code from openapi.json, the gateway's document: its types, the operations that take a key, and the client's methods. The version is the package's. */
const here = new URL("./", import.meta.url);
const HEAD = "// Written by `npm run document`.\n\n";

export async function generated(): Promise<Record<string, string>> {
  const document = await readFile(new URL("openapi.json", here), "utf8");
  const described: OpenAPI3 = JSON.parse(document);
  const { version } = JSON.parse(await readFile(new URL("package.json", here), "utf8"));
  const files = {
    "openapi.ts": astToString(await openapi(described)),
    "operations.ts": operationsOf(document),
    "methods.ts": methodsOf(document),
    "schemas.ts": schemasOf(document),
    "version.ts": `export const VERSION = "${version}";\n`,
  };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, HEAD + text]));
}

if (import.meta.main)
  for (const [name, text] of Object.entries(await generated()))
    await writeFile(new URL(`generated/${name}`, here), text);
