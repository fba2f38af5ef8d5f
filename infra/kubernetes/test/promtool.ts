import { execFileSync } from "node:child_process";

/** Its output; throws with it if it is not content. */
export function promtool(path: string, args: string[]): string {
  return execFileSync(path, args, { encoding: "utf8", stdio: "pipe" });
}
