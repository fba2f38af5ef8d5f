import { execFile } from "node:child_process";
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

export type Nats = { kind: "binary"; path: string } | { kind: "container" };

const CACHE = join(import.meta.dirname, "../../../node_modules/.cache/collect");

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
  const downloading = await download(cache, cached).then(
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

/** With separate list and cache directories, apt needs neither root nor the machine's state. Renamed into place, so concurrent downloads are safe. */
async function download(cache: string, target: string): Promise<void> {
  if (!(await succeeds("apt-get", ["--version"]))) throw new Error("this is neither Debian nor Ubuntu");
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, "apt-"));
  try {
    const lists = join(work, "lists");
    const archives = join(work, "cache");
    for (const directory of [lists, archives]) await mkdir(join(directory, "partial"), { recursive: true });
    const options = [
      `Dir::State::Lists=${lists}`,
      `Dir::Cache=${archives}`,
      "Debug::NoLocking=1",
      "APT::Sandbox::User=",
      "Acquire::Retries=2",
    ];
    const flags = ["-q", ...options.flatMap((option) => ["-o", option])];
    await run("apt-get", [...flags, "update"], { timeout: 180_000 });
    await run("apt-get", [...flags, "download", "nats-server"], { cwd: work, timeout: 180_000 });
    const archive = (await readdir(work)).find((name) => name.endsWith(".deb"));
    if (!archive) throw new Error("apt-get downloaded no package");
    await run("dpkg-deb", ["-x", join(work, archive), join(work, "package")]);
    await rename(join(work, "package/usr/sbin/nats-server"), target).catch(() =>
      rename(join(work, "package/usr/bin/nats-server"), target),
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
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
