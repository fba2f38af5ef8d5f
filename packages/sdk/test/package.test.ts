import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { build } from "../build.ts";

const run = promisify(execFile);
const modules = fileURLToPath(new URL("../node_modules", import.meta.url));
/** A merchant's project, with only the built package. */
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "collect-sdk-"));
  const installed = join(project, "node_modules", "@collect", "sdk");
  await mkdir(installed, { recursive: true });
  await build(installed);
  await symlink(join(modules, "@types"), join(project, "node_modules", "@types"));
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
});
afterAll(() => rm(project, { recursive: true, force: true }));

test("the built package runs without the rest of this repository", async () => {
  const use = 'import * as sdk from "@collect/sdk"; console.log(Object.keys(sdk).sort().join());';
  await writeFile(join(project, "use.js"), use);
  const { stdout } = await run(process.execPath, ["use.js"], { cwd: project });
  expect(stdout.trim()).toBe(
    "CollectError,WebhookVerificationError,createClient,createReceiver,solveProof,verifyWebhook",
  );
});

test("a merchant's compiler uses its types", async () => {
  const lines = [
    'import { type Payment, verifyWebhook } from "@collect/sdk";',
    "export const received = (payment: Payment): number => payment.amount_received;",
    'verifyWebhook("", {}, "").data.reference.length;',
    "export const wrong = (payment: Payment): string => payment.amount_received;",
  ];
  await writeFile(join(project, "use.ts"), lines.join("\n"));
  const check = run(
    join(modules, ".bin", "tsc"),
    ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "use.ts"],
    { cwd: project },
  );
  await expect(check).rejects.toMatchObject({ stdout: expect.stringMatching(/^use\.ts\(4,[^\n]*\n$/) });
});
