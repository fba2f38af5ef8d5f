import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { readJson, writeJson } from "./files.ts";

const Secrets = z.object({
  intake_key: z.string(),
  bank_door_secret: z.string(),
  bank_api_secret: z.string(),
  auth_secret: z.string(),
  /** Absent from what an older release made. */
  transfer_key: z.string().optional(),
});
export type Secrets = Required<z.output<typeof Secrets>>;

/** Made once: intake ids and the ids of transfers derive from two of them, so they have to outlive every restart. */
export async function loadSecrets(directory: string): Promise<Secrets> {
  const path = join(directory, "secrets.json");
  const kept = await readJson(path, Secrets);
  const secret = () => randomBytes(32).toString("hex");
  if (kept?.transfer_key) return { ...kept, transfer_key: kept.transfer_key };
  const made = {
    intake_key: secret(),
    bank_door_secret: secret(),
    bank_api_secret: secret(),
    auth_secret: secret(),
    ...kept,
    transfer_key: secret(),
  };
  await writeJson(path, made);
  return made;
}
