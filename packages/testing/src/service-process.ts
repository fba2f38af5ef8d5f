import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ServiceName } from "@collect/contracts";
import { onTestFinished } from "vitest";
import { busEnvironment } from "./broker.ts";
import type { World } from "./world.ts";

export type ServiceProcess = {
  exited: Promise<unknown>;
  /** It says that it is ready, or has ended before. */
  ready: Promise<void>;
  /** Immediately, as in a power failure. */
  die(): Promise<void>;
};

/** `env` is merged over what reaches the world's servers; `main` is the service's own by default. */
type Options = { env?: Record<string, string>; main?: string; args?: string[] };

/** Starts a service of the world as a process of its own, which ends with the test. */
export function startServiceProcess(world: World, service: ServiceName, options: Options = {}): ServiceProcess {
  const { env, main = mainOf(service), args = [] } = options;
  const child = spawn(process.execPath, [main, ...args], {
    env: { DATABASE_URL: world.database.service, ...busEnvironment(world.natsUrl, service), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const die = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(die);
  const ready = (async () => {
    for await (const line of createInterface({ input: child.stdout })) if (line.includes('"ready"')) break;
    child.stdout.resume();
  })();
  return { exited, ready, die };
}

const mainOf = (service: ServiceName) =>
  fileURLToPath(new URL(`../../../services/${service}/src/main.ts`, import.meta.url));
