import { type Pool, prismaOver } from "@collect/database";
import { PrismaClient } from "../generated/client.ts";

/** Users, their sign-ins and sessions, as better-auth writes them. Everything else is SQL on the pool. */
export type Prisma = PrismaClient;

export const createPrisma = (pool: Pool): Prisma => new PrismaClient(prismaOver(pool));
