import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { busEnvironment, type World } from "@collect/testing";
import { onTestFinished } from "vitest";
import { CONFIG } from "../inbound/sessions-world.ts";
import { BANK_API_SECRET } from "./transfers-world.ts";

const MAIN = new URL("../../src/main.ts", import.meta.url).pathname;

/** The service as a process of its own, ready. */
export async function startProcess(world: World, bankUrl: string, failpoint?: string) {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      DATABASE_URL: world.database.service,
      ...busEnvironment(world.natsUrl, "payments"),
      CHECKOUT_URL: "http://127.0.0.1:4100",
      BANK_URL: bankUrl,
      BANK_API_SECRET,
      BANK_CODE: "729",
      BANK_NAME: "Harbour Bank",
      TRANSFER_KEY: CONFIG.TRANSFER_KEY,
      ...(failpoint && { FAILPOINT: failpoint }),
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
