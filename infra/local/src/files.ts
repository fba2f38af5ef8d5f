import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";

/** The files of `.local`: readable by their owner only, and never half written. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Undefined when the file is missing; an error that names it when it is not what it should be. */
export async function readJson<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const value = schema.safeParse(JSON.parse(text));
  if (value.success) return value.data;
  throw new Error(`${path} is not what it should be (${z.prettifyError(value.error)}): npm run reset clears it`);
}

const Webhook = z.object({ url: z.string(), secret: z.string() });

/** `.local/demo.json`: what an integration needs to try the running stack. */
export const Demo = z.object({
  base_url: z.string(),
  checkout_url: z.string(),
  dashboard_url: z.string(),
  bank: z.object({ url: z.string(), secret: z.string() }),
  merchant: z.object({ id: z.string(), name: z.string() }),
  /** Who is signed in to the dashboard by the link that npm start prints; a new link at every start. */
  user: z.object({ email: z.string(), password: z.string(), sign_in_url: z.string() }),
  /** When the demo merchant's history ends, which never changes, so that what was cut short can be made up for. */
  history: z.object({ until: z.string(), is_whole: z.boolean() }),
  keys: z.object({ sk_test: z.string(), pk_test: z.string(), sk_live: z.string(), pk_live: z.string() }),
  webhook: z.object({ test: Webhook, live: Webhook }),
});
export type Demo = z.output<typeof Demo>;
