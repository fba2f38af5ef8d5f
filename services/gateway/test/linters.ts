import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Document, Spectral } from "@stoplight/spectral-core";
import owasp from "@stoplight/spectral-owasp-ruleset";
import { Json } from "@stoplight/spectral-parsers";
import { oas } from "@stoplight/spectral-rulesets";

export type Finding = { rule: string; at: string; message: string };

const FILE = fileURLToPath(new URL("../../../packages/sdk/openapi.json", import.meta.url));
export const DOCUMENT = await readFile(FILE, "utf8");

/** Redocly's strictest ruleset, every rule on. */
export async function redocly(text = DOCUMENT): Promise<Finding[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source: text, absoluteRef: FILE, config });
  return problems.map(({ ruleId, location, message }) => {
    return { rule: ruleId, at: String(location[0]?.pointer).replace(/^#\//, ""), message };
  });
}

/** Spectral's rules for OpenAPI and those of OWASP's list of the ten risks of APIs, every rule on. */
export async function spectral(text = DOCUMENT): Promise<Finding[]> {
  const linter = new Spectral();
  linter.setRuleset({
    extends: [
      [oas, "all"],
      [owasp, "all"],
    ],
  } as Parameters<Spectral["setRuleset"]>[0]);
  const results = await linter.run(new Document(text, Json, FILE));
  return results.map(({ code, path, message }) => {
    const at = path.map((key) => String(key).replaceAll("/", "~1")).join("/");
    return { rule: String(code).replace(/^owasp:/, ""), at, message };
  });
}
