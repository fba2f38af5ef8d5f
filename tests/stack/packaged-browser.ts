import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";
import type { LaunchOptions } from "playwright-core";
import { ROOT } from "./service.ts";

/** Only the packaged fonts, so that a page looks the same on every machine. Open Sans has the naira sign. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`;

/**
 * The Chromium of `@sparticuz/chromium`, for a machine without one: with its fonts and the libraries that a minimal machine
 * lacks. It is unpacked once, into the repository's cache.
 */
export async function packagedBrowser(
  cache = join(ROOT, ".cache"),
): Promise<Required<Pick<LaunchOptions, "executablePath" | "env">>> {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("there is no packaged browser for this platform: install Chromium or Chrome so that it is on PATH");
  const folder = join(createRequire(import.meta.url).resolve("@sparticuz/chromium"), "../..");
  const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const unpacked = join(cache, `chromium-${version}`);
  if (!existsSync(unpacked)) await unpack(join(folder, "bin"), { cache, unpacked });
  return {
    executablePath: join(unpacked, "chromium"),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(unpacked, "libraries/lib"),
      FONTCONFIG_FILE: join(unpacked, "fonts.conf"),
    },
  };
}

/** Created in a temporary directory and renamed: of two concurrent test files, the later one's copy is discarded. */
async function unpack(archives: string, { cache, unpacked }: { cache: string; unpacked: string }): Promise<void> {
  await mkdir(cache, { recursive: true });
  const temporary = await mkdtemp(join(cache, "chromium-new-"));
  try {
    await Promise.all([
      decompress(join(archives, "chromium.br"), createWriteStream(join(temporary, "chromium"), { mode: 0o755 })),
      extract(join(archives, "fonts.tar.br"), join(temporary, "fonts")),
      extract(join(archives, "al2023.tar.br"), join(temporary, "libraries")),
      writeFile(join(temporary, "fonts.conf"), FONTS),
    ]);
    await rename(temporary, unpacked).catch((error) => {
      if (!existsSync(unpacked)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

const decompress = (archive: string, target: Writable) =>
  pipeline(createReadStream(archive), createBrotliDecompress(), target);

/** By a file, because tar may exit before it has read the padding at the end of a pipe. */
async function extract(archive: string, directory: string): Promise<void> {
  await mkdir(directory);
  const file = `${directory}.tar`;
  await decompress(archive, createWriteStream(file));
  await promisify(execFile)("tar", ["-x", "--no-same-owner", "-C", directory, "-f", file]);
  await rm(file);
}
