import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The paths of all files that are committed or would be, from the root. */
export function committedFiles(): string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  return listed
    .toString("utf8")
    .split("\n")
    .filter((path) => path && existsSync(join(ROOT, path)));
}
