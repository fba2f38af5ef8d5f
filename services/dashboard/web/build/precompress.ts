import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

/** Beyond this size the highest quality takes seconds; only the dictionaries of passwords are larger. */
const BEST_MAX = 400_000;

/** Writes `file.br` and `file.gz` beside every file of the build: once, with the highest quality, instead of at every start of the service. */
export function precompress(): Plugin {
  let directory = "";
  return {
    name: "precompress",
    apply: "build",
    configResolved: (config) => {
      directory = join(config.root, config.build.outDir);
    },
    closeBundle: async () => {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && /\.(js|css|svg)$/.test(entry.name));
      await Promise.all(files.map(({ parentPath, name }) => compress(join(parentPath, name))));
    },
  };
}

async function compress(path: string): Promise<void> {
  const body = await readFile(path);
  const quality = body.length > BEST_MAX ? 9 : constants.BROTLI_MAX_QUALITY;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  await Promise.all([
    promisify(brotliCompress)(body, { params }).then((compressed) => writeFile(`${path}.br`, compressed)),
    promisify(gzip)(body, { level: 9 }).then((compressed) => writeFile(`${path}.gz`, compressed)),
  ]);
}
