import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";

/** The files of `.local`: readable by their owner only, and replaced atomically. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Returns undefined if the file is missing; throws an error that names it if it is invalid. */
export async function readJson<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const value = schema.safeParse(JSON.parse(text));
  if (value.success) return value.data;
  throw new Error(`${path} is invalid (${z.prettifyError(value.error)}): delete it with npm run reset`);
}

const Webhook = z.object({ url: z.string(), secret: z.string() });

/** `.local/demo.json`: what an integration needs to try the running stack. */
export const Demo = z.object({
  base_url: z.string(),
  checkout_url: z.string(),
  dashboard_url: z.string(),
  bank: z.object({ url: z.string(), secret: z.string() }),
  merchant: z.object({ id: z.string(), name: z.string() }),
  /** The dashboard user that the link printed by npm start signs in; every start creates a new link. */
  user: z.object({ email: z.string(), password: z.string(), sign_in_url: z.string() }),
  /** `until` is the end of the demo merchant's history. It never changes, so that an interrupted start can be completed. */
  history: z.object({ until: z.string(), is_whole: z.boolean() }),
  keys: z.object({ sk_test: z.string(), pk_test: z.string(), sk_live: z.string(), pk_live: z.string() }),
  webhook: z.object({ test: Webhook, live: Webhook }),
});
export type Demo = z.output<typeof Demo>;
