import { execFile } from "node:child_process";
import { copyFile, glob, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
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
  for await (const path of glob(join(directory, "**/*.d.ts"))) await rewriteExtensions(path);
  await writeFile(join(directory, "index.d.mts"), 'export * from "./src/index.js";\n');
  await writeFile(join(directory, "index.mjs"), moduleOf(directory));
  for (const name of ["README.md", "CHANGELOG.md", "LICENSE"]) await copyFile(join(here, name), join(directory, name));
  const own = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
  const { name, version, description, keywords, license, engines } = own;
  const manifest = { name, version, description, keywords, license, engines, type: "commonjs", ...ENTRY };
  await writeFile(join(directory, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** For `import`: the same code by its names. */
function moduleOf(directory: string): string {
  const names = Object.keys(createRequire(import.meta.url)(join(directory, "src", "index.js")));
  return `export { ${names.join(", ")} } from "./src/index.js";\n`;
}

const ENTRY = {
  main: "./src/index.js",
  types: "./src/index.d.ts",
  exports: {
    ".": {
      import: { types: "./index.d.mts", default: "./index.mjs" },
      require: { types: "./src/index.d.ts", default: "./src/index.js" },
    },
    "./package.json": "./package.json",
  },
};

/** The compiler rewrites imports in JavaScript only. */
async function rewriteExtensions(path: string): Promise<void> {
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace(/(from |import\()"(\.[^"]+)\.ts"/g, '$1"$2.js"'));
}

if (import.meta.main) await build(join(here, "dist"));
