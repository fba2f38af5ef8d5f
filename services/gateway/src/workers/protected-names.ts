import type { Component, Logger } from "@collect/runtime";
import type { PrismaClient } from "../store/prisma.ts";
import { protectNames } from "../store/protected-names.ts";
import { namesOf } from "../store/verifications.ts";

const BATCH = 500;

/**
 * Protects the names of merchants that an earlier release verified, when the service starts. Replicas that do it at once write the
 * same rows; without the rows such a name is only not reported as taken.
 */
export function createProtectedNames(prisma: PrismaClient, { log }: { log: Logger }): Component {
  let stopped = false;
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    const unprotected = { verifiedAt: { not: null }, protectedNames: { none: {} } };
    while (!stopped) {
      const found = await prisma.merchant.findMany({
        where: unprotected,
        include: { verification: true },
        orderBy: { id: "asc" },
        take: BATCH,
      });
      for (const { id, name, verification } of found)
        await protectNames(prisma, { id, names: namesOf(name, verification?.details) });
      if (found.length < BATCH) return;
    }
  }

  return {
    name: "protected-names",
    async start() {
      working = work().catch((error) => {
        log.warn({ subject: "protected-names", err: error }, "names of verified merchants are not protected yet");
      });
    },
    async stop() {
      stopped = true;
      await working;
    },
  };
}
