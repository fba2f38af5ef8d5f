import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { runningStack } from "./running.ts";
import { loadSettings, shown } from "./settings.ts";

/** npm run reset: forgets everything the local stack keeps. */
const { LOCAL_DIRECTORY: directory } = loadSettings();
const running = await runningStack(directory);
if (running) {
  console.error(
    `✗ npm start is running (process ${running.pid}): stop it with Ctrl-C there, or with kill ${running.pid}, and reset again`,
  );
  process.exit(1);
}
const there = existsSync(directory);
await rm(directory, { recursive: true, force: true });
console.log(
  there
    ? `✓ ${shown(directory)} is removed: the next npm start begins anew`
    : `✓ there is nothing to clear: ${shown(directory)} does not exist`,
);
