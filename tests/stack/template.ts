import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { glob, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { SERVICES } from "@collect/contracts";
import { migrate, provision } from "@collect/database";
import { startPostgres } from "@collect/servers";
import { ROOT } from "./service.ts";

/** Thrown away at the end, so it may lose what a power cut of the machine would take, but nothing that its own end would. */
export const UNSAFE = { fsync: "off", full_page_writes: "off", max_connections: "200" };

const CACHE = join(ROOT, ".cache");

/**
 * Lays into `directory` a PostgreSQL that has one database for each service, migrated by its owner, open to nobody but its
 * service. It is made once for the migrations as they are, and copied from then on.
 */
export async function copyTemplate(directory: string): Promise<void> {
  const template = join(CACHE, `postgres-${await digestOfMigrations()}`);
  if (!existsSync(template)) await makeTemplate(template);
  await mkdir(directory, { recursive: true });
  // The cluster may belong to another user than the one who runs the tests.
  await promisify(execFile)("cp", ["-a", `${template}/.`, directory]);
}

/** Made beside and renamed: of two test files that start at once, the later one's is thrown away. */
async function makeTemplate(template: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const fresh = await mkdtemp(join(CACHE, "postgres-new-"));
  try {
    const server = await startPostgres({ directory: fresh, port: 0, settings: UNSAFE });
    try {
      // One by one: Prisma's engine is one.
      for (const service of SERVICES) {
        const { owner } = await provision(server.url, service);
        await migrate({ url: owner, directory: join(ROOT, "services", service, "prisma") });
      }
    } finally {
      await server.stop();
    }
    await rename(fresh, template).catch((error) => {
      if (!existsSync(template)) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function digestOfMigrations(): Promise<string> {
  const files: string[] = [];
  for await (const file of glob(["services/*/prisma/migrations/**/*.sql", "packages/database/src/*.ts"], { cwd: ROOT }))
    files.push(file);
  const digest = createHash("sha256");
  for (const file of files.toSorted()) digest.update(file).update(await readFile(join(ROOT, file)));
  return digest.digest("hex").slice(0, 16);
}
