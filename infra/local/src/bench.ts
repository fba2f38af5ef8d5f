import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "./settings.ts";

/** npm run bench: the measurements of tests/load, on separate servers. */
const bench = spawn(process.execPath, [join(ROOT, "tests/load/bench.ts"), ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => bench.kill(signal));
process.on("disconnect", () => bench.kill("SIGTERM"));
const [code] = await once(bench, "exit");
process.exit(code ?? 1);
