import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "./settings.ts";

/** npm run chaos: the faults of tests/chaos, on a separate stack. */
const chaos = spawn(process.execPath, [join(ROOT, "tests/chaos/main.ts"), ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => chaos.kill(signal));
process.on("disconnect", () => chaos.kill("SIGTERM"));
const [code] = await once(chaos, "exit");
process.exit(code ?? 1);
