import { type Pool, prismaOver } from "@collect/database";
import { PrismaClient } from "../generated/client.ts";

/** Users, their credentials and sessions, which better-auth reads and writes. Everything else is SQL on the pool. */
export type Prisma = PrismaClient;

export const createPrisma = (pool: Pool): Prisma => new PrismaClient(prismaOver(pool));
