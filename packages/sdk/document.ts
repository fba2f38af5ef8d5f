import { readFile, writeFile } from "node:fs/promises";
import openapi, { astToString, type OpenAPI3 } from "openapi-typescript";

/** Writes generated/openapi.ts: the types of everything that openapi.json, the gateway's document, describes. */
const here = new URL("./", import.meta.url);

export async function generatedTypes(): Promise<string> {
  const document: OpenAPI3 = JSON.parse(await readFile(new URL("openapi.json", here), "utf8"));
  return `// Written by \`pnpm --filter @collect/sdk document\` from openapi.json.\n\n${astToString(await openapi(document))}`;
}

if (import.meta.main) await writeFile(new URL("generated/openapi.ts", here), await generatedTypes());
