import { z } from "zod";

export const Port = z.coerce.number().int().min(0).max(65_535);

/**
 * Validates the environment against one schema and freezes it, before anything listens. The schema's keys are the names
 * of the variables; an empty variable counts as absent.
 */
export function loadConfig<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, environment: NodeJS.ProcessEnv) {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const config = schema.safeParse(present);
  if (config.success) return Object.freeze(config.data);
  // Only names and rules are reported: an invalid value may be a secret.
  const invalid = config.error.issues.map(({ path, message }) => `  ${path.join(".")}: ${message}`).join("\n");
  throw new Error(`the environment is incomplete or invalid:\n${invalid}`);
}
