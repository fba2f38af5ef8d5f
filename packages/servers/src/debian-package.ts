import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** Programs that no npm package ships are kept here. */
export const CACHE = join(import.meta.dirname, "../../../node_modules/.cache/collect");

type Options = { file: string; cache?: string; withinMs?: number };

/**
 * Takes one program out of a package of Debian or Ubuntu, into the cache, and returns its path. Nothing is installed: with separate
 * list and cache directories, apt needs neither root nor the machine's state. Renamed into place, so concurrent downloads are safe.
 * A network that answers nothing is given up after `withinMs`.
 */
export async function unpackDebian(
  name: string,
  { file, cache = CACHE, withinMs = 360_000 }: Options,
): Promise<string> {
  await run("apt-get", ["--version"], { timeout: 10_000 }).catch((cause) => {
    throw new Error("this is neither Debian nor Ubuntu", { cause });
  });
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, "apt-"));
  const target = join(cache, file);
  const signal = AbortSignal.timeout(withinMs);
  try {
    const flags = await separate(work);
    await run("apt-get", [...flags, "update"], { signal });
    await run("apt-get", [...flags, "download", name], { cwd: work, signal });
    const archive = (await readdir(work)).find((entry) => entry.endsWith(".deb"));
    if (!archive) throw new Error("apt-get downloaded no package");
    await run("dpkg-deb", ["-x", join(work, archive), join(work, "package")]);
    const from = (folder: string) => join(work, "package/usr", folder, file);
    await rename(from("sbin"), target).catch(() => rename(from("bin"), target));
    return target;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function separate(work: string): Promise<string[]> {
  const [lists, archives] = [join(work, "lists"), join(work, "cache")];
  for (const directory of [lists, archives]) await mkdir(join(directory, "partial"), { recursive: true });
  const options = [
    `Dir::State::Lists=${lists}`,
    `Dir::Cache=${archives}`,
    "Debug::NoLocking=1",
    "APT::Sandbox::User=",
    "Acquire::Retries=2",
  ];
  return ["-q", ...options.flatMap((option) => ["-o", option])];
}

const run = promisify(execFile);
