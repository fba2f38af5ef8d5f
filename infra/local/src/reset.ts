import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { runningStack } from "./running.ts";
import { displayPath, loadSettings } from "./settings.ts";

/** npm run reset: deletes everything the local stack stores. */
const { LOCAL_DIRECTORY: directory } = loadSettings();
const running = await runningStack(directory);
if (running) {
  console.error(
    `✗ npm start is running (process ${running.pid}): stop it with Ctrl-C in its terminal or with kill ${running.pid}, then run reset again`,
  );
  process.exit(1);
}
const exists = existsSync(directory);
await rm(directory, { recursive: true, force: true });
console.log(
  exists
    ? `✓ ${displayPath(directory)} was deleted: the next npm start creates a new stack`
    : `✓ nothing to delete: ${displayPath(directory)} does not exist`,
);
