import { type Pool, prismaOver } from "@collect/database";
import { PrismaClient } from "../generated/client.ts";

export type { Prisma } from "../generated/client.ts";

/** How people's lists and single records are read. Whatever moves money is SQL. */
export const openPrisma = (pool: Pool): PrismaClient => new PrismaClient(prismaOver(pool));
export type { PrismaClient };

/** As many rows of a list as are counted and summed: some 10 ms, whatever the filter and however many there are. */
export const SUMMED_MAX = 10_000;
