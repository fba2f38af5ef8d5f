import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../stack/service.ts";

const run = promisify(execFile);
const CACHE = join(ROOT, ".cache");
const BIN = join(ROOT, "node_modules/.bin");

/** The commit of the last release, and how this tree differs from it; undefined if its history is not here, as in a shallow clone. */
export async function findLastRelease(): Promise<{ commit: string; changed: string[] } | undefined> {
  const file = join(ROOT, "packages/contracts/schemas/last-release/commit");
  const commit = (await readFile(file, "utf8")).trim();
  const git = (...args: string[]) => run("git", args, { cwd: ROOT });
  const isHere = await git("cat-file", "-e", `${commit}^{commit}`).then(
    () => true,
    () => false,
  );
  if (!isHere) return undefined;
  const { stdout } = await git("diff", "--name-only", commit, "--", "services", "packages");
  return { commit, changed: stdout.split("\n").filter(Boolean) };
}

const TEMPORARY = "release-new-";
const ABANDONED_AFTER_MS = 3_600_000;

/** Its sources, with what its services run on, in a folder that is made once, and kept until the next release. */
export async function checkOut(commit: string): Promise<string> {
  const tree = join(CACHE, `release-${commit.slice(0, 12)}`);
  if (existsSync(tree)) return tree;
  await mkdir(CACHE, { recursive: true });
  await removeAbandoned();
  const temporary = await mkdtemp(join(CACHE, TEMPORARY));
  try {
    await run("sh", ["-c", 'git archive "$1" | tar -x -C "$2"', "sh", commit, temporary], { cwd: ROOT });
    await installServices(temporary);
    for (const former of (await readdir(CACHE)).filter((name) => /^release-[0-9a-f]{12}$/.test(name)))
      if (join(CACHE, former) !== tree) await rm(join(CACHE, former), { recursive: true, force: true });
    await rename(temporary, tree).catch((error) => {
      if (!existsSync(tree)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return tree;
}

/** The packages and the generated clients of its services. Its pages, its tools and its tests do not run here. */
async function installServices(tree: string): Promise<void> {
  const env = { ...process.env, PATH: `${BIN}:${process.env.PATH}` };
  const pnpm = (...args: string[]) =>
    run("pnpm", ["--filter", "{./services/*}...", ...args], { cwd: tree, env, maxBuffer: 1e8 });
  await pnpm("install", "--frozen-lockfile", "--prefer-offline");
  await pnpm("run", "generate");
}

/** Of a process that was killed meanwhile. */
async function removeAbandoned(): Promise<void> {
  for (const name of (await readdir(CACHE)).filter((entry) => entry.startsWith(TEMPORARY))) {
    const folder = join(CACHE, name);
    // Another process may have renamed or removed its own.
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(folder, { recursive: true, force: true });
  }
}
