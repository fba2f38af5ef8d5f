import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Child, endChild, startChild, untilReady } from "./child.ts";
import { findNats } from "./nats-binary.ts";
import { claimPort } from "./port.ts";

export type NatsServer = {
  url: string;
  pid: number;
  port: number;
  /** Where JetStream keeps its streams. */
  store: string;
  /** Resolves when the server has exited, for whatever reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
  /** Immediately, like a power failure. */
  kill(): Promise<void>;
};

type Options = {
  directory: string;
  port: number;
  log?: string;
  users?: string;
  /** The server's name in a cluster, and the configuration of its routes, which includes the other files. */
  cluster?: { name: string; config: string };
};

/**
 * A NATS server on 127.0.0.1 with file-based JetStream streams. Port 0 picks a free port; `log` is a file for its output;
 * without `users`, which are in the broker's configuration language, it lets everybody in.
 */
export async function startNats(options: Options): Promise<NatsServer> {
  const directory = resolve(options.directory);
  const port = await claimPort(options.port, "NATS");
  await mkdir(directory, { recursive: true });
  const found = await findNats();
  if (options.cluster && found.kind === "container")
    throw new Error("a cluster needs the program nats-server: as a container it would need a network of its own");
  const logFile = options.log ?? join(directory, "server.log");
  const container = `collect-nats-${port}`;
  const [command, args] =
    found.kind === "binary"
      ? [
          found.path,
          [
            "--addr",
            "127.0.0.1",
            "--port",
            String(port),
            "--jetstream",
            "--store_dir",
            directory,
            "--config",
            join(directory, options.cluster ? CLUSTER_FILE : CONFIG_FILE),
            ...(options.cluster ? ["--name", options.cluster.name] : []),
          ],
        ]
      : ["docker", inContainer(container, directory, port)];
  if (options.cluster) await writeFile(join(directory, CLUSTER_FILE), options.cluster.config, { mode: 0o600 });
  await writeFile(join(directory, CONFIG_FILE), CONFIG);
  await writeFile(join(directory, USERS_FILE), options.users ?? "");
  const child = await startChild({ command, args, logFile, stopSignal: "SIGINT" });
  await untilReady("NATS", child, () => greets(port));
  return {
    url: `nats://127.0.0.1:${port}`,
    pid: child.pid,
    port,
    store: join(directory, "jetstream"),
    exited: child.exited,
    stop: () => endChild(child, "SIGINT", "SIGKILL"),
    kill: () => (found.kind === "binary" ? endChild(child, "SIGKILL", "SIGKILL") : killContainer(container, child)),
  };
}

const CONFIG_FILE = "nats.conf";
/** Includes the other. */
const CLUSTER_FILE = "cluster.conf";
/** Included by the other. */
const USERS_FILE = "users.conf";
/** The same as in containers. */
const CONFIG = readFileSync(new URL("../../../infra/nats/nats.conf", import.meta.url), "utf8");

function inContainer(name: string, directory: string, port: number): string[] {
  const user = process.getuid ? ["--user", `${process.getuid()}:${process.getgid?.() ?? 0}`] : [];
  const mounts = ["--volume", `${directory}:/data`, "--publish", `127.0.0.1:${port}:4222`];
  return [
    "run",
    "--rm",
    "--name",
    name,
    ...user,
    ...mounts,
    "nats:2-alpine",
    "--jetstream",
    "--store_dir",
    "/data",
    "--config",
    `/data/${CONFIG_FILE}`,
  ];
}

async function killContainer(name: string, child: Child): Promise<void> {
  await promisify(execFile)("docker", ["kill", name]);
  await child.exited;
}

/** A NATS server sends the first line: INFO with its options. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, timeout: 1_000 });
    const answer = (yes: boolean) => {
      socket.destroy();
      resolve(yes);
    };
    socket.once("data", (data) => answer(data.toString().startsWith("INFO ") && data.includes('"jetstream":true')));
    for (const failure of ["error", "timeout", "end"]) socket.once(failure, () => answer(false));
  });
}
