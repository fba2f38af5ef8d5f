import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { CACHE, unpackDebian } from "./debian-package.ts";

export type Nats = { kind: "binary"; path: string } | { kind: "container" };

/**
 * No npm package ships the NATS server. In this order: on PATH, the cached copy, Debian's or Ubuntu's package
 * unpacked into the cache (nothing is installed, root is not needed), a container engine.
 */
export async function findNats(cache = CACHE, path = process.env.PATH ?? ""): Promise<Nats> {
  const cached = join(cache, "nats-server");
  for (const candidate of [
    ...path
      .split(delimiter)
      .filter(Boolean)
      .map((directory) => join(directory, "nats-server")),
    cached,
  ]) {
    if (await isExecutable(candidate)) return { kind: "binary", path: candidate };
  }
  const downloading = await unpackDebian("nats-server", { cache, file: "nats-server" }).then(
    () => undefined,
    (error: Error) => error,
  );
  if (!downloading) return { kind: "binary", path: cached };
  if (await succeeds("docker", ["info"])) return { kind: "container" };
  throw new Error(
    [
      "No NATS server was found. Choose one:",
      "  - install nats-server so that it is on PATH (brew install nats-server, apt-get install nats-server, or https://nats.io)",
      "  - set NATS_URL to your own server with JetStream",
      "  - start a container engine, so that `docker run nats` works",
    ].join("\n"),
    { cause: downloading },
  );
}

const run = promisify(execFile);

const succeeds = (command: string, args: string[]) =>
  run(command, args, { timeout: 10_000 }).then(
    () => true,
    () => false,
  );

const isExecutable = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
