import { z } from "zod";

export const Port = z.coerce.number().int().min(0).max(65_535);

/**
 * The environment, checked against one schema and frozen, before anything listens.
 * Keys of the schema are the names of the variables; an empty variable counts as absent.
 */
export function loadConfig<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, environment: NodeJS.ProcessEnv) {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const config = schema.safeParse(present);
  if (config.success) return Object.freeze(config.data);
  // Only names and rules are told: a wrong value may be a secret.
  const wrong = config.error.issues.map(({ path, message }) => `  ${path.join(".")}: ${message}`).join("\n");
  throw new Error(`the environment is not complete or not right:\n${wrong}`);
}
