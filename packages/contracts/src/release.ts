import { execFileSync } from "node:child_process";
import { writeLastRelease } from "./recorded.ts";

/** npm run release: what is committed is the last release from now on, and the next change is compared with it. */
const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
if (git("status", "--porcelain") !== "") {
  process.stderr.write("There are changes that are not committed: a release is a commit.\n");
  process.exit(1);
}
await writeLastRelease(git("rev-parse", "HEAD"));
