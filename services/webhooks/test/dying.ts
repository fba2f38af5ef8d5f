import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { busEnvironment, type World } from "@collect/testing";
import { onTestFinished } from "vitest";
import { KEYRING } from "./service.ts";

const MAIN = new URL("../src/main.ts", import.meta.url).pathname;

/** The service as a process of its own, ready or already dead, which dies at the failpoint. */
export async function startDying(world: World, failpoint: string): Promise<{ exited: Promise<unknown> }> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      DATABASE_URL: world.database.service,
      ...busEnvironment(world.natsUrl, "webhooks"),
      KEYRING,
      ALLOW_PRIVATE_URLS: "true",
      FAILPOINT: failpoint,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"ready"')) break;
  child.stdout.resume();
  return { exited };
}
