import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CACHE, unpackDebian } from "@collect/servers";

/** Without a network the other tests need not wait for long. */
const WITHIN_MS = 30_000;

/** Prometheus' own checker: on PATH, the cached copy, or Debian's, unpacked into the cache. Without one, undefined. */
export async function findPromtool(): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), CACHE];
  const found = folders.map((folder) => join(folder, "promtool")).find((path) => existsSync(path));
  return found ?? unpackDebian("prometheus", { file: "promtool", withinMs: WITHIN_MS }).catch(() => undefined);
}

/** Its output; throws with it if it is not content. */
export function promtool(path: string, args: string[]): string {
  return execFileSync(path, args, { encoding: "utf8", stdio: "pipe" });
}
