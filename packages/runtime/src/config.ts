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
 * of the variables; an empty variable, or file, counts as absent. `NAME_FILE` is the path of a file that contains the value of
 * NAME, for secrets; `DATABASE_PASSWORD`, or a file of it, is put into `DATABASE_URL`, and so with every `…_URL`. In production each
 * of these must be encrypted.
 */
export function loadConfig<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, environment: NodeJS.ProcessEnv) {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const names = Object.keys(schema.shape);
  const { values, problems } = withFiles([...names, ...names.filter(isUrl).map(passwordOf)], set);
  for (const name of names.filter(isUrl)) addPassword(name, { values, problems });
  const config = schema.safeParse(values);
  // Only names and rules are reported: an invalid value may be a secret.
  for (const { path, message } of config.error?.issues ?? []) problems.push(`${path.join(".")}: ${message}`);
  for (const [name, value] of Object.entries(values)) {
    if (!isUrl(name) || !value || !(name in schema.shape)) continue;
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

const isUrl = (name: string) => name.endsWith("_URL");
const passwordOf = (url: string) => url.replace(/_URL$/, "_PASSWORD");

type Loaded = { values: Record<string, string | undefined>; problems: string[] };

/** The password of a URL that was given apart from it. */
function addPassword(name: string, { values, problems }: Loaded): void {
  const [text, password] = [values[name], values[passwordOf(name)]];
  const url = text === undefined ? null : URL.parse(text);
  if (!password || !url) return;
  if (url.password) problems.push(`${passwordOf(name)}: ${name} has a password too`);
  url.password = encodeURIComponent(password);
  values[name] = url.href;
}

/** The settings, with the contents of the files that `NAME_FILE` names. */
function withFiles(names: string[], set: Record<string, string | undefined>): Loaded {
  const values = { ...set };
  const problems: string[] = [];
  for (const name of names) {
    const path = set[`${name}_FILE`];
    if (path === undefined) continue;
    if (set[name] !== undefined) problems.push(`${name}: is set twice, by ${name} and ${name}_FILE`);
    try {
      values[name] = readFileSync(path, "utf8").trim() || undefined;
    } catch {
      problems.push(`${name}_FILE: is not a readable file`);
    }
  }
  return { values, problems };
}
