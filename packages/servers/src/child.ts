import { spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Access } from "./postgres-user.ts";

/** What processes of this checkout have compiled (`NODE_COMPILE_CACHE`), shared by all of them: starting is mostly compiling. */
export const COMPILE_CACHE = join(import.meta.dirname, "../../../.cache/compile-cache");

/** A server as a child process. `exited` resolves once it has ended, for whatever reason; `output` is its output since the start. */
export type Child = { pid: number; exited: Promise<void>; signal(signal: NodeJS.Signals): void; output(): string };

/** A log of this size is truncated at the next start. */
const LOG_BYTES_MAX = 5_000_000;

/**
 * Starts a server in its own process group, so that Ctrl-C in the parent's terminal does not signal it, with its output in a
 * file. It never outlives this process and never keeps it alive.
 */
export async function startChild(options: {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  logFile: string;
  /** The signal that shuts it down cleanly when this process is gone. */
  stopSignal: NodeJS.Signals;
  /** Its user and the descriptors it inherits, if they differ from this process's. */
  access?: Pick<Access, "spawn" | "descriptors">;
}): Promise<Child> {
  const log = openLog(options.logFile);
  const child = spawn(options.command, options.args, {
    ...options.access?.spawn,
    detached: true,
    stdio: ["ignore", log.fd, log.fd, ...(options.access?.descriptors ?? [])],
    env: options.env ?? process.env,
  });
  closeSync(log.fd);
  const pid = await new Promise<number>((resolve, reject) => {
    child.once("spawn", () => resolve(child.pid ?? 0));
    child.once("error", reject);
  });
  const dismissGuard = guard(pid, options.stopSignal);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => {
      dismissGuard();
      resolve();
    });
  });
  child.unref();
  return {
    pid,
    exited,
    signal: (signal) => void child.kill(signal),
    output: () => readFileSync(options.logFile).subarray(log.size).toString().trim(),
  };
}

/** Waits until the server is ready. Throws with the end of its output if it exits before that, or takes too long. */
export async function untilReady(
  what: string,
  child: Child,
  isReady: () => Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  let ended = false;
  void child.exited.then(() => {
    ended = true;
  });
  const deadline = Date.now() + withinMs;
  while (!(await isReady())) {
    if (!ended && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    if (!ended) child.signal("SIGKILL");
    const output = child.output().split("\n").slice(-15).join("\n");
    throw new Error(`${what} ${ended ? "ended while it was starting" : "was not ready in time"}:\n${output}`);
  }
}

/** Sends the signal and waits; a process that has not exited in time is killed. */
export async function endChild(
  child: Child,
  signal: NodeJS.Signals,
  orElse: NodeJS.Signals,
  withinMs = 20_000,
): Promise<void> {
  child.signal(signal);
  const impatience = setTimeout(() => child.signal(orElse), withinMs);
  await child.exited;
  clearTimeout(impatience);
}

/**
 * A shell with the other end of a pipe: when this process ends, even by `kill -9`, the pipe closes and the shell stops the
 * server. A signal handler or an exit hook could not do that.
 */
function guard(pid: number, signal: NodeJS.Signals): () => void {
  const script = `trap '' INT TERM HUP; read -r _; kill -${signal.slice(3)} "$0"`;
  const shell = spawn("/bin/sh", ["-c", script, String(pid)], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  shell.stdin.on("error", () => {});
  shell.unref();
  if ("unref" in shell.stdin && typeof shell.stdin.unref === "function") shell.stdin.unref();
  return () => void shell.kill("SIGKILL");
}

function openLog(path: string): { fd: number; size: number } {
  const fd = openSync(path, "a", 0o600);
  const { size } = fstatSync(fd);
  if (size < LOG_BYTES_MAX) return { fd, size };
  closeSync(fd);
  return { fd: openSync(path, "w", 0o600), size: 0 };
}
