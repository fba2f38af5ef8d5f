import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { glob, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { SERVICES } from "@collect/contracts";
import { migrate, openLogin, provision } from "@collect/database";
import { startPostgres } from "@collect/servers";
import { stackLogin } from "./plans.ts";
import { ROOT } from "./service.ts";

/** Deleted at the end, so it need not survive a power failure of the machine, only a crash of the process. */
export const UNSAFE = { fsync: "off", full_page_writes: "off", max_connections: "200" };

const CACHE = join(ROOT, ".cache");

/**
 * Copies into `directory` a PostgreSQL cluster with one database per service, migrated by its owner and accessible only to its
 * service. The template is created once per set of migrations and then reused.
 */
export async function copyTemplate(directory: string): Promise<void> {
  const template = join(CACHE, `postgres-${await digestOfMigrations()}`);
  if (!existsSync(template)) await makeTemplate(template);
  await mkdir(directory, { recursive: true });
  // The cluster may be owned by a different user from the one running the tests.
  await promisify(execFile)("cp", ["-a", `${template}/.`, directory]);
}

/** Created in a temporary directory and renamed: of two concurrent test files, the later one's copy is discarded. */
async function makeTemplate(template: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const temporary = await mkdtemp(join(CACHE, "postgres-new-"));
  try {
    const server = await startPostgres({ directory: temporary, port: 0, settings: UNSAFE });
    try {
      // Sequential: there is a single instance of Prisma's engine.
      for (const service of SERVICES) {
        const { owner } = await provision(server.url, service);
        await openLogin(server.url, service, stackLogin(service));
        await migrate({ url: owner, directory: join(ROOT, "services", service, "prisma") });
      }
    } finally {
      await server.stop();
    }
    await rename(temporary, template).catch((error) => {
      if (!existsSync(template)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
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
