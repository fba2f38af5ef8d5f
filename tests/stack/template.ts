import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { glob, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startPostgres } from "@collect/servers";
import { ROOT } from "./service.ts";

/** Deleted at the end, so it need not survive a power failure of the machine, only a crash of the process. */
export const UNSAFE = { fsync: "off", full_page_writes: "off", max_connections: "200" };

const CACHE = join(ROOT, ".cache");
const DATABASES = join(import.meta.dirname, "databases.ts");

/**
 * Copies into `directory` a PostgreSQL cluster with one database per service, as the code of a checkout makes it: migrated by its
 * owner and accessible only to its service. The template is created once per set of migrations and then reused.
 */
export async function copyTemplate(directory: string, tree: string): Promise<void> {
  const template = join(CACHE, `postgres-${await digestOf(tree)}`);
  if (!existsSync(template)) await makeTemplate(template, tree);
  await mkdir(directory, { recursive: true });
  // The cluster may be owned by a different user from the one running the tests.
  await promisify(execFile)("cp", ["-a", `${template}/.`, directory]);
}

/** Created in a temporary directory and renamed: of two concurrent test files, the later one's copy is discarded. */
async function makeTemplate(template: string, tree: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const temporary = await mkdtemp(join(CACHE, "postgres-new-"));
  try {
    const server = await startPostgres({ directory: temporary, port: 0, settings: UNSAFE });
    try {
      await migrateAll(server.url, tree);
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

/**
 * Brings every database to the migrations of a checkout, as the migrate job does, with its own code: who owns what, and who may do
 * what, is then as where that release runs. Returns the names of the migrations that were applied.
 */
export async function migrateAll(adminUrl: string, tree: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [DATABASES, tree, adminUrl]);
  return JSON.parse(stdout);
}

/** Of the migrations and everything that applies them. */
async function digestOf(tree: string): Promise<string> {
  const files: string[] = [];
  for await (const file of glob(["services/*/prisma/migrations/**/*.sql", "packages/database/src/*.ts"], { cwd: tree }))
    files.push(file);
  const digest = createHash("sha256").update(await readFile(DATABASES));
  for (const file of files.toSorted()) digest.update(file).update(await readFile(join(tree, file)));
  return digest.digest("hex").slice(0, 16);
}
