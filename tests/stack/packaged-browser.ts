import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import type { LaunchOptions } from "playwright-core";
import { ROOT } from "./service.ts";

/** Fonts of its own alone, so that a page looks the same on every machine. Open Sans has the sign of the naira. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`;

/**
 * The Chromium of `@sparticuz/chromium`, for a machine that has none: with its fonts and the libraries that a bare machine
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

/** Made beside and renamed: of two test files that start at once, the later one's is thrown away. */
async function unpack(archives: string, { cache, unpacked }: { cache: string; unpacked: string }): Promise<void> {
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, "chromium-new-"));
  try {
    await Promise.all([
      decompress(join(archives, "chromium.br"), createWriteStream(join(fresh, "chromium"), { mode: 0o755 })),
      extract(join(archives, "fonts.tar.br"), join(fresh, "fonts")),
      extract(join(archives, "al2023.tar.br"), join(fresh, "libraries")),
      writeFile(join(fresh, "fonts.conf"), FONTS),
    ]);
    await rename(fresh, unpacked).catch((error) => {
      if (!existsSync(unpacked)) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

const decompress = (archive: string, target: Writable) =>
  pipeline(createReadStream(archive), createBrotliDecompress(), target);

async function extract(archive: string, directory: string): Promise<void> {
  await mkdir(directory);
  const tar = spawn("tar", ["-x", "--no-same-owner", "-C", directory], { stdio: ["pipe", "inherit", "inherit"] });
  const [, [code]] = await Promise.all([decompress(archive, tar.stdin), once(tar, "close")]);
  if (code !== 0) throw new Error(`tar could not unpack ${archive}`);
}
