import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { readJson, writeJson } from "./files.ts";

const Secrets = z.object({
  intake_key: z.string(),
  bank_door_secret: z.string(),
  bank_api_secret: z.string(),
  auth_secret: z.string(),
});
export type Secrets = z.output<typeof Secrets>;

/** Made once: intake ids and references derive from the intake key, so it has to outlive every restart. */
export async function loadSecrets(directory: string): Promise<Secrets> {
  const path = join(directory, "secrets.json");
  const kept = await readJson(path, Secrets);
  if (kept) return kept;
  const secret = () => randomBytes(32).toString("hex");
  const made = {
    intake_key: secret(),
    bank_door_secret: secret(),
    bank_api_secret: secret(),
    auth_secret: secret(),
  };
  await writeJson(path, made);
  return made;
}
