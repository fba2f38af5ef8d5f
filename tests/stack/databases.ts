import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SERVICES } from "@collect/contracts";
import { stackLogin } from "./plans.ts";

/** A process of its own: Prisma's engines of two checkouts disturb each other in one. Prints the migrations that it applied. */
const [tree = "", adminUrl = ""] = process.argv.slice(2);
const code = join(tree, "packages/database/src/index.ts");
const { migrate, openLogin, provision }: typeof import("@collect/database") = await import(pathToFileURL(code).href);
const applied: string[] = [];
for (const service of SERVICES) {
  // The last release may not have it yet.
  if (!existsSync(join(tree, "services", service))) continue;
  const { owner } = await provision(adminUrl, service);
  applied.push(...(await migrate({ url: owner, directory: join(tree, "services", service, "prisma") })));
  await openLogin(adminUrl, service, stackLogin(service));
}
process.stdout.write(JSON.stringify(applied));
