import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SERVICES } from "@collect/contracts";
import { expect, onTestFinished, test } from "vitest";
import { migrateAll } from "./template.ts";

const CODE = `
  export const provision = async (_admin, service) => ({ owner: service + "'s owner" });
  export const migrate = async ({ url, directory }) => [url + " in " + directory];
  export const openLogin = async () => {};
`;

test("the databases of a checkout are made by its own code, for the services that it has: this release's would give them other owners", async () => {
  const tree = await mkdtemp(join(tmpdir(), "checkout-"));
  onTestFinished(() => rm(tree, { recursive: true }));
  await mkdir(join(tree, "packages/database/src"), { recursive: true });
  await writeFile(join(tree, "packages/database/src/index.ts"), CODE);
  const present = SERVICES.slice(1);
  for (const service of present) await mkdir(join(tree, "services", service), { recursive: true });
  const applied = present.map((service) => `${service}'s owner in ${join(tree, "services", service, "prisma")}`);
  expect(await migrateAll("postgres://127.0.0.1:1", tree)).toEqual(applied);
});
