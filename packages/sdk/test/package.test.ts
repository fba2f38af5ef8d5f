import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { build } from "../build.ts";

const run = promisify(execFile);
const modules = fileURLToPath(new URL("../node_modules", import.meta.url));
/** A merchant's project, with only the package, installed from its archive. */
let project: string;
let archive: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "collect-sdk-"));
  const dist = join(project, "dist");
  await mkdir(dist);
  await build(dist);
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", project, dist], { cwd: project });
  archive = join(project, JSON.parse(stdout)[0].filename);
  await writeFile(join(project, "package.json"), "{}");
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", archive], { cwd: project });
  await mkdir(join(project, "node_modules", "@types"));
  await symlink(join(modules, "@types", "node"), join(project, "node_modules", "@types", "node"));
});
afterAll(() => rm(project, { recursive: true, force: true }));

/** Every Node on the PATH, so the one that the machine came with, too. */
const nodes = new Map(
  [process.execPath, ...(process.env.PATH ?? "").split(delimiter).map((directory) => join(directory, "node"))]
    .filter((path) => existsSync(path))
    .map((path) => [execFileSync(path, ["--version"], { encoding: "utf8" }).trim(), path]),
);
const NAMES =
  "CollectError,WebhookVerificationError,createClient,createReceiver,signTestWebhook,solveProof,verifyWebhook";

test.each([...nodes])("Node %s loads it by import and by require, as one copy", async (_version, node) => {
  const lines = [
    'import { createRequire } from "node:module";',
    'import * as sdk from "@collect/sdk";',
    'const required = createRequire(import.meta.url)("@collect/sdk");',
    'const { body, headers } = required.signTestWebhook(\'{"event":"webhook.test","data":{}}\', \'whsec_AAAA\');',
    "const { event } = sdk.verifyWebhook(body, headers, 'whsec_AAAA');",
    "console.log(Object.keys(sdk).sort().join(), event, sdk.CollectError === required.CollectError);",
  ];
  await writeFile(join(project, "use.mjs"), lines.join("\n"));
  const { stdout } = await run(node, ["use.mjs"], { cwd: project });
  expect(stdout).toBe(`${NAMES} webhook.test true\n`);
});

const USE = [
  'import { type Payment, createClient, verifyWebhook } from "@collect/sdk";',
  "export const received = (payment: Payment): number => payment.amount_received;",
  'verifyWebhook("", {}, "").data.reference.length;',
  "export async function all(): Promise<void> {",
  '  for await (const { net } of createClient({ key: "sk_test_a" }).listCollections({ limit: 100 })) net.toFixed();',
  "}",
  "export const wrong = (payment: Payment): string => payment.amount_received;",
];
/** In a module, and in CommonJS. */
const FILES = ["use.cts", "use.mts"];

/** The one that wrote the declarations need not check them. */
const COMPILERS: [name: string, options: string[]][] = [
  ["typescript", ["--skipLibCheck"]],
  ["typescript-oldest", []],
];

test.each(COMPILERS)("%s reads its types by import and by require", async (name, more) => {
  for (const file of FILES) await writeFile(join(project, file), USE.join("\n"));
  const tsc = join(modules, name, "bin", "tsc");
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", ...more];
  const errors = await run(process.execPath, [tsc, ...options, ...FILES], { cwd: project }).then(
    () => "",
    ({ stdout }) => String(stdout),
  );
  // The oldest compiler does not understand all of Node's own types.
  const ours = errors.split("\n").filter((line) => /^(use|node_modules.@collect)/.test(line));
  expect(ours).toEqual(FILES.map((file) => expect.stringMatching(`^${file}\\(7,`)));
});

test("publint has nothing to say about the archive", async () => {
  const tarball = await readFile(archive);
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer as ArrayBuffer }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test("every resolution finds types, and they are those of the code", async () => {
  const checked = await checkPackage(createPackageFromTarballData(await readFile(archive)));
  expect(checked).toMatchObject({ types: { kind: "included" }, problems: [] });
});

test("the archive has the license and the changelog of its version, and no dependency", async () => {
  const installed = join(project, "node_modules", "@collect", "sdk");
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  expect(manifest).toMatchObject({ name: "@collect/sdk", license: "MIT", engines: { node: ">=20" } });
  expect(Object.keys(manifest)).not.toContain("dependencies");
  expect(await readFile(join(installed, "LICENSE"), "utf8")).toMatch(/^MIT License/);
  expect(await readFile(join(installed, "CHANGELOG.md"), "utf8")).toContain(`\n## ${manifest.version}\n`);
});
