import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "./settings.ts";

/** Runs a program of `tests` with this command's arguments, and exits as it does. */
export async function runInTests(program: string): Promise<never> {
  const child = spawn(process.execPath, [join(ROOT, "tests", program), ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  process.on("disconnect", () => child.kill("SIGTERM"));
  const [code] = await once(child, "exit");
  process.exit(code ?? 1);
}
