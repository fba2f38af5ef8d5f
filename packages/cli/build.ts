import { chmod, copyFile, glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Writes the package that developers install: plain JavaScript, because Node does not run TypeScript out of `node_modules`.
 * `npm pack ./packages/cli/dist` creates an archive of it.
 */
const here = fileURLToPath(new URL(".", import.meta.url));

export async function build(directory: string): Promise<void> {
  for await (const path of glob("src/**/*.ts", { cwd: here })) {
    const code = stripTypeScriptTypes(await readFile(join(here, path), "utf8"));
    const target = join(directory, path.replace(/\.ts$/, ".js"));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, code.replace(/(from "\.[^"]+)\.ts"/g, '$1.js"'));
  }
  await chmod(join(directory, "src", "main.js"), 0o755);
  for (const [name, from] of FILES) await copyFile(join(here, from, name), join(directory, name));
  const { name, version, description, license, engines, type } = await manifestOf(".");
  const dependencies = {
    "@collect/sdk": (await manifestOf("../sdk")).version,
    commander: (await manifestOf("node_modules/commander")).version,
  };
  const manifest = {
    name,
    version,
    description,
    license,
    engines,
    type,
    bin: { collect: "src/main.js" },
    dependencies,
  };
  await writeFile(join(directory, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

const FILES = [
  ["README.md", "."],
  ["LICENSE", "../sdk"],
] as const;

const manifestOf = async (path: string) => JSON.parse(await readFile(join(here, path, "package.json"), "utf8"));

if (import.meta.main) await build(join(here, "dist"));
