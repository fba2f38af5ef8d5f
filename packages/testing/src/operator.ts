import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@collect/servers";
import { SEEDS } from "./broker.ts";

const COMMAND = fileURLToPath(new URL("../../../infra/ops/src/main.ts", import.meta.url));

/** What a command of an operator has printed, and the code with which it ended. */
export type Run = { code: number; stdout: string; stderr: string };

/** The command line as an operator runs it, signed with the key that this seed is of. */
export async function opsAs(seed: string, natsUrl: string, ...args: string[]): Promise<Run> {
  const own = { NATS_URL: natsUrl, NATS_NKEY_SEED: SEEDS.operator, OPERATOR_SEED: seed };
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ...own },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code, stdout, stderr };
}
