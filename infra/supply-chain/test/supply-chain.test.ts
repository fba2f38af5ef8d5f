import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { productionComponents } from "../src/bill-of-materials.ts";
import { isAccepted, licenseList } from "../src/licenses.ts";
import { unpinned } from "../src/lockfile.ts";
import { findSecrets } from "../src/secrets.ts";
import { committedFiles, ROOT } from "../src/tree.ts";

const components = productionComponents();
const lockfile = await readFile(join(ROOT, "pnpm-lock.yaml"), "utf8");

test("every package is pinned by the hash of its content", () => {
  expect(unpinned(lockfile)).toEqual([]);
  expect(components.filter(({ sha512 }) => sha512?.length !== 128)).toEqual([]);
  expect(components.length).toBeGreaterThan(100);
});

test.each([
  ["without its hash", lockfile.replace(/integrity: sha512-[^}]+/, "tarball: elsewhere.tgz")],
  ["with a weaker hash", lockfile.replace("integrity: sha512-", "integrity: sha1-")],
  ["from somewhere else", lockfile.replace(/(integrity: sha512-[\w+/]+==)/, "$1, tarball: https://example.com/x.tgz")],
])("a package %s is found", (_, changed) => {
  expect(unpinned(changed)).toHaveLength(1);
});

test("the license of every package allows its use, and docs/licenses.md lists them", async () => {
  expect(components.filter(({ license }) => !isAccepted(license))).toEqual([]);
  const words = (page: string) => page.replaceAll(/[\s|-]+/g, " ");
  const page = await readFile(join(ROOT, "docs/licenses.md"), "utf8");
  expect(words(page)).toBe(words(licenseList(components)));
});

test.each(["AGPL-3.0-only", "", "MIT AND GPL-3.0-only", "SSPL-1.0 OR BUSL-1.1"])(
  "a license such as %j is refused",
  (id) => {
    expect(isAccepted(id)).toBe(false);
  },
);

test("no committed file contains a secret", async () => {
  expect(await findSecrets(committedFiles(), ROOT)).toEqual([]);
});

test.each([
  [
    "a private key",
    `-----BEGIN ${"PRIVATE"} KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC".repeat(8)}\n-----END ${"PRIVATE"} KEY-----`,
  ],
  ["a live secret key", `sk_${"live"}_${"a1B2c3".repeat(6)}D4`],
  ["a seed of a bus user", `SU${"ABCDEFG2".repeat(7)}`],
])("%s in a file is found, and not printed", async (_, secret) => {
  const folder = await mkdtemp(join(tmpdir(), "collect-secrets-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "config.ts"), `export const value = \`${secret}\`;\n`);
  const found = await findSecrets(["config.ts"], folder);
  expect(found.join("\n")).toContain("config.ts");
  expect(found.join("\n")).not.toContain(secret);
});
