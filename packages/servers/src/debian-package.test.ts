import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { unpackDebian } from "./index.ts";

test("a download from a network that answers nothing is given up, and leaves nothing in the cache", async () => {
  const [path, cache] = [await anEmptyDirectory(), await anEmptyDirectory()];
  await writeFile(join(path, "apt-get"), '#!/bin/sh\ncase "$*" in *update) exec sleep 300;; esac\n', { mode: 0o755 });
  vi.stubEnv("PATH", `${path}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(unpackDebian("prometheus", { file: "promtool", cache, withinMs: 100 })).rejects.toThrow("aborted");
  expect(await readdir(cache)).toEqual([]);
});

async function anEmptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "apt-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}
