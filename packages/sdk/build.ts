import { execFile } from "node:child_process";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/**
 * Writes the package that merchants install: plain JavaScript with its types, because Node does not run TypeScript out of
 * `node_modules`. `npm pack ./packages/sdk/dist` creates an archive of it.
 */
const here = fileURLToPath(new URL(".", import.meta.url));

export async function build(directory: string): Promise<void> {
  const tsc = join(here, "node_modules", ".bin", "tsc");
  await promisify(execFile)(tsc, ["--project", join(here, "tsconfig.build.json"), "--outDir", directory]);
  const { name, version, type, engines } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
  const exports = { ".": { types: "./src/index.d.ts", default: "./src/index.js" } };
  const manifest = { name, version, type, engines, exports };
  await writeFile(join(directory, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await copyFile(join(here, "README.md"), join(directory, "README.md"));
}

if (import.meta.main) await build(join(here, "dist"));
