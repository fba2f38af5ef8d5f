import { readFileSync } from "node:fs";
import { z } from "zod";
import { assertEncrypted } from "./encrypted.ts";

export const Port = z.coerce.number().int().min(0).max(65_535);

/**
 * A secret shared with another party, and while it is rotated, its predecessor: `new,old`. The first signs, every one is
 * accepted.
 */
export const SharedSecret = (minimum: number) =>
  z
    .string()
    .transform((text) => text.split(",").map((secret) => secret.trim()))
    .pipe(z.tuple([z.string().min(minimum)], z.string().min(minimum)));
export type SharedSecret = [string, ...string[]];

/**
 * Validates the environment against one schema and freezes it, before anything listens. The schema's keys are the names
 * of the variables; an empty variable counts as absent. `NAME_FILE` is the path of a file that contains the value of NAME,
 * for secrets. In production every `…_URL` must be encrypted.
 */
export function loadConfig<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, environment: NodeJS.ProcessEnv) {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const { values, problems } = withFiles(Object.keys(schema.shape), set);
  const config = schema.safeParse(values);
  // Only names and rules are reported: an invalid value may be a secret.
  for (const { path, message } of config.error?.issues ?? []) problems.push(`${path.join(".")}: ${message}`);
  for (const [name, value] of Object.entries(values)) {
    if (!name.endsWith("_URL") || !value || !(name in schema.shape)) continue;
    try {
      assertEncrypted(name, value, set);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (config.success && problems.length === 0) return Object.freeze(config.data);
  const invalid = problems.map((problem) => `  ${problem}`).join("\n");
  throw new Error(`the environment is incomplete or invalid:\n${invalid}`);
}

/** The settings, with the contents of the files that `NAME_FILE` names. */
function withFiles(names: string[], set: Record<string, string | undefined>) {
  const values = { ...set };
  const problems: string[] = [];
  for (const name of names) {
    const path = set[`${name}_FILE`];
    if (path === undefined) continue;
    if (set[name] !== undefined) problems.push(`${name}: is set twice, by ${name} and ${name}_FILE`);
    try {
      values[name] = readFileSync(path, "utf8").trim();
    } catch {
      problems.push(`${name}_FILE: is not a readable file`);
    }
  }
  return { values, problems };
}
