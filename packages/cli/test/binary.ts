import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
/** Each run is a process of its own, and mostly compiles. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL("../../../.cache/compile-cache", import.meta.url));

export type Run = { code: number; stdout: string; stderr: string };
type Environment = Record<string, string>;

/** The binary, with nothing of this process's environment but where to find programs. */
export function start(args: string[], environment: Environment = {}) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed: string[] = [];
  child.stdout.on("data", (chunk) => printed.push(String(chunk)));
  const ended: Promise<Run> = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]).then(
    ([stdout, stderr, [code]]) => ({ code, stdout, stderr }),
  );
  return { child, ended, printed: () => printed.join("") };
}

export const collect = (args: string[], environment?: Environment): Promise<Run> => start(args, environment).ended;
