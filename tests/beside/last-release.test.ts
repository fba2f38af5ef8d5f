import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "../stack/service.ts";
import { checkOut } from "./last-release.ts";

test("a checkout that was interrupted is removed by the next one, and one that is being made is left alone", async () => {
  await mkdir(join(ROOT, ".cache"), { recursive: true });
  const [abandoned, current] = [await aCheckout(), await aCheckout()];
  const earlier = new Date(Date.now() - 2 * 3_600_000);
  await utimes(abandoned, earlier, earlier);
  await expect(checkOut("0".repeat(40))).rejects.toThrow("not a tree object");
  expect([existsSync(abandoned), existsSync(current)]).toEqual([false, true]);
});

async function aCheckout(): Promise<string> {
  const folder = await mkdtemp(join(ROOT, ".cache/release-new-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
