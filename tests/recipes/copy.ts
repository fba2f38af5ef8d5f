import { execFile, execFileSync } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A copy of the tree, in which a newcomer follows a recipe of CONTRIBUTING. */
export type Copy = {
  /** Changes one file by hand, or makes it: what it was becomes what is returned. */
  edit(file: string, change: (text: string) => string): Promise<void>;
  /** The files that were changed by hand so far, since the last recipe was begun. */
  edited: Set<string>;
  read(file: string): Promise<string>;
  /** The one file below a folder that holds a text: files are moved more often than what is in them. */
  fileWith(folder: string, text: string): string;
  /** Runs a command in a folder of the copy; its output, and whether it succeeded. */
  run(folder: string, command: string): Promise<{ ok: boolean; output: string }>;
  remove(): Promise<void>;
};

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Packages of the workspace resolve to the copy, those of others to what is installed already. */
export async function copyTree(): Promise<Copy> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "collect-recipes-")));
  const files = listed(ROOT);
  for (const file of files) await cp(join(ROOT, file), join(root, file));
  for (const file of files.filter((name) => /(^|\/)package\.json$/.test(name))) await install(root, dirname(file));
  // Nothing is installed in a copy: what it has is what the original has.
  await appendFile(join(root, "pnpm-workspace.yaml"), "\nverifyDepsBeforeRun: false\n");
  execFileSync("git", ["init", "--quiet"], { cwd: root });
  execFileSync("git", ["add", "--all"], { cwd: root });

  const edited = new Set<string>();
  const read = (file: string) => readFile(join(root, file), "utf8");
  return {
    edited,
    read,
    async edit(file, change) {
      const text = await read(file).catch(() => "");
      const changed = change(text);
      if (changed === text) throw new Error(`the edit of ${file} changed nothing`);
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), changed);
      edited.add(file);
    },
    fileWith(folder, text) {
      const found = execFileSync("git", ["grep", "-lF", text, "--", folder], { cwd: root, encoding: "utf8" });
      const [file, ...more] = found.trim().split("\n");
      if (!file || more.length > 0) throw new Error(`${text} is in ${found || "no file"}`);
      return file;
    },
    run: (folder, command) => run(join(root, folder), command, root),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

function listed(root: string): string[] {
  const options = { cwd: root, encoding: "utf8" as const };
  const gone = new Set(execFileSync("git", ["ls-files", "--deleted"], options).split("\n"));
  const all = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], options).split("\n");
  return [...new Set(all)].filter((file) => file && !gone.has(file));
}

/**
 * Links between packages are relative, so a copied link leads into the copy. Folders are made anew and only packages of others are
 * links to what is installed: whatever is done to `node_modules` here, the original keeps its own.
 */
async function install(root: string, folder: string): Promise<void> {
  const [from, to] = [join(ROOT, folder, "node_modules"), join(root, folder, "node_modules")];
  for (const entry of await readdir(from).catch(() => [])) {
    await mkdir(to, { recursive: true });
    if (entry === ".pnpm") await linkEach(join(from, entry), join(to, entry));
    else if (entry === ".cache") await symlink(join(from, entry), join(to, entry));
    // Vite's caches (`.vite`, `.vite-temp`, `.vitest-cache`) are written by the tests that run meanwhile: a copy makes its own.
    else if (!entry.startsWith(".vite"))
      await cp(join(from, entry), join(to, entry), { recursive: true, verbatimSymlinks: true });
  }
  // What Prisma generates is not in git, and no recipe here changes a table.
  const generated = join(ROOT, folder, "src/generated");
  await cp(generated, join(root, folder, "src/generated"), { recursive: true }).catch(ignoreMissing);
}

/** The store of installed packages; the links beside them, by which packages find what they do not declare, are copied. */
async function linkEach(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from)) {
    if (entry === "node_modules")
      await cp(join(from, entry), join(to, entry), { recursive: true, verbatimSymlinks: true });
    else await symlink(join(from, entry), join(to, entry));
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

function run(cwd: string, command: string, root: string): Promise<{ ok: boolean; output: string }> {
  // A shell of its own: nothing that vitest told this process may reach the one below.
  const { HOME, TEST_DATABASE_URL } = process.env;
  const PATH = `${join(cwd, "node_modules/.bin")}:${join(root, "node_modules/.bin")}:${process.env.PATH}`;
  const env = { PATH, HOME, TEST_DATABASE_URL, NO_COLOR: "1" };
  return new Promise((resolve) => {
    execFile("sh", ["-c", command], { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: `$ ${command}\n${stdout}${stderr}` }),
    );
  });
}
