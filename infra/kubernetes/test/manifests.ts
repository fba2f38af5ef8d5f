import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { files } from "../src/files.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** An object of Kubernetes, as the files have it. */
export const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});
export type Manifest = z.infer<typeof Manifest>;

/** The files that the code makes and the tree has, with their paths from the root. */
export const made = await files();
export const kept = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** All objects of the files in the tree. */
export const manifests: Manifest[] = Object.keys(made)
  .filter((path) => path.endsWith(".yaml"))
  .flatMap((path) => parse(kept(path)));

export function parse(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => Manifest.parse(document.toJS()));
}
