import { spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import type { Access } from "./postgres-user.ts";

/** A server as a child process. `exited` resolves once it is gone, however it went; `output` is what it wrote since its start. */
export type Child = { pid: number; exited: Promise<void>; signal(signal: NodeJS.Signals): void; output(): string };

/** A log is begun anew at the first start after it has grown to this. */
const LOG_BYTES_MAX = 5_000_000;

/**
 * Starts a server in a process group of its own, so that a Ctrl-C meant for the parent does not reach it,
 * with its output in a file. It never outlives this process and never keeps it alive.
 */
export async function startChild(options: {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  logFile: string;
  /** What ends it in good order when this process is gone. */
  stopSignal: NodeJS.Signals;
  /** As whom it runs and what it inherits, when that is not this process's. */
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

/** Waits until the server is ready; an error with the end of its output when it ends before that, or takes too long. */
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

/** Sends the signal and waits; what has not ended in time gets the harder signal. */
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
 * A shell that holds the other end of a pipe: when this process is gone, `kill -9` included, the pipe closes and the shell
 * stops the server. No signal handler or exit hook could do that.
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
