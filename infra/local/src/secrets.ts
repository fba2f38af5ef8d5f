import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { readJson, writeJson } from "./files.ts";

const Secrets = z.object({
  intake_key: z.string(),
  bank_door_secret: z.string(),
  bank_api_secret: z.string(),
  auth_secret: z.string(),
  /** Absent from files of an older release. */
  transfer_key: z.string().optional(),
});
export type Secrets = Required<z.output<typeof Secrets>>;

/** Created once: intake ids and transfer ids derive from two of them, so they must survive every restart. */
export async function loadSecrets(directory: string): Promise<Secrets> {
  const path = join(directory, "secrets.json");
  const stored = await readJson(path, Secrets);
  const secret = () => randomBytes(32).toString("hex");
  if (stored?.transfer_key) return { ...stored, transfer_key: stored.transfer_key };
  const created = {
    intake_key: secret(),
    bank_door_secret: secret(),
    bank_api_secret: secret(),
    auth_secret: secret(),
    ...stored,
    transfer_key: secret(),
  };
  await writeJson(path, created);
  return created;
}
