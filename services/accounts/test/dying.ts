import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { busEnvironment, type World } from "@collect/testing";
import { onTestFinished } from "vitest";
import { BANK_DOOR_SECRET } from "./world.ts";

const MAIN = new URL("../src/main.ts", import.meta.url).pathname;

/** The service as a process of its own, ready or dead; it dies at the failpoint, if one is given. */
export async function startDying(world: World, failpoint?: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      DATABASE_URL: world.database.service,
      ...busEnvironment(world.natsUrl, "accounts"),
      ...{ BANK_URL: "http://127.0.0.1:9", BANK_API_SECRET: "secret-of-the-partner", BANK_CODE: "729" },
      ...{ BANK_NAME: "Harbour Bank", BANK_DOOR_SECRET, BANK_DOOR_PORT: "0", INTAKE_KEY: "k".repeat(32) },
      ...(failpoint && { FAILPOINT: failpoint }),
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(stop);
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"ready"')) break;
  child.stdout.resume();
  return { exited, stop };
}
