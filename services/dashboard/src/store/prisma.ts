import { type Pool, prismaOver } from "@collect/database";
import { PrismaClient } from "../generated/client.ts";

/** Users, their credentials and sessions, which better-auth reads and writes. Everything else is SQL on the pool. */
export type Prisma = PrismaClient;

/** A sign-up hashes its password within its transaction: on a busy machine that takes longer than Prisma's five seconds. */
const TRANSACTIONS = { maxWait: 10_000, timeout: 30_000 };

export const createPrisma = (pool: Pool): Prisma =>
  new PrismaClient({ ...prismaOver(pool), transactionOptions: TRANSACTIONS });
