import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CACHE, unpackDebian } from "./debian-package.ts";

/** Without a network the other tests need not wait for long. */
const WITHIN_MS = 30_000;

/** A program of Prometheus: on PATH, the cached copy, or Debian's, unpacked into the cache. Without one, undefined. */
export async function findPrometheus(program: "prometheus" | "promtool"): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), CACHE];
  const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
  return found ?? unpackDebian("prometheus", { file: program, withinMs: WITHIN_MS }).catch(() => undefined);
}
