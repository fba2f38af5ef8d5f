import type { Pool } from "@collect/database";
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "../generated/client.ts";

/** Users, their sign-ins and sessions, as better-auth writes them. Everything else is SQL on the pool. */
export type Prisma = PrismaClient;

/** On the pool that is there already. Errors are minimal: Prisma would print what was to be stored. */
export function createPrisma(pool: Pool): Prisma {
  return new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: "minimal" });
}
