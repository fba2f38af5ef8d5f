import { answer, type Bus, type Request } from "@collect/bus";
import {
  browseMerchants,
  decodeCursor,
  drainPayouts,
  instantOf,
  type MerchantStanding,
  readStandings,
  releasePayouts,
  resumeMerchant,
  suspendMerchant,
  toPage,
  UtcInstant,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { z } from "zod";
import { standingOf } from "../domain/standing.ts";
import { changingMerchant } from "../store/merchants.ts";
import type { LockedMerchant, PrismaClient, PrismaTransaction } from "../store/prisma.ts";
import { browseStandings, findStandings } from "../store/standings.ts";

type Deps = { prisma: PrismaClient; pool: Pool; bus: Bus };

/** A merchant's standing: read by the services that make live things, and changed by the operator. */
export function standingRequests({ prisma, pool, bus }: Deps): Request[] {
  return [
    answer(readStandings, async ({ merchant_ids }) => ({ standings: await findStandings(pool, merchant_ids) })),

    answer(browseMerchants, async ({ limit, after, ...filter }) => {
      const [created_at, id] = decodeCursor(after, [UtcInstant, z.string()]) ?? [];
      const before = created_at && id ? { created_at, id } : null;
      const rows = await browseStandings(pool, { ...filter, before, rows: limit + 1 });
      return toPage(rows, {
        limit,
        cursor: ({ created_at, merchant_id }) => [created_at, merchant_id],
        toResponse: (row) => row,
      });
    }),

    // The suspension is committed first: from then on every service that asks is told. Then the calls that asked before end.
    answer(suspendMerchant, async ({ merchant_id, reason }, context) => {
      const suspended = await changingMerchant(prisma, merchant_id, (tx, merchant) =>
        change(tx, merchant, { suspends: true, reason }),
      );
      const { in_flight } = await bus.request(drainPayouts, { merchant_id }, context);
      return { ...suspended, payouts_in_flight: in_flight };
    }),

    answer(resumeMerchant, async ({ merchant_id, reason }, context) => {
      const resumed = await changingMerchant(prisma, merchant_id, (tx, merchant) =>
        change(tx, merchant, { suspends: false, reason }),
      );
      const { released } = await bus.request(releasePayouts, { merchant_id }, context);
      return { ...resumed, payouts_released: released };
    }),
  ];
}

type Change = { suspends: boolean; reason: string };

/** A repeat changes nothing, so the first reason and time stay. */
async function change(
  tx: PrismaTransaction,
  merchant: LockedMerchant,
  { suspends, reason }: Change,
): Promise<MerchantStanding> {
  const { id, now } = merchant;
  if (suspends !== (merchant.suspended_at !== null)) {
    const data = suspends
      ? { suspendedAt: now, suspensionReason: reason }
      : { suspendedAt: null, suspensionReason: null };
    await tx.merchant.update({ where: { id }, data });
  }
  const current = await tx.merchant.findUniqueOrThrow({ where: { id }, include: { verification: true } });
  const { suspendedAt, suspensionReason } = current;
  return {
    merchant_id: id,
    ...standingOf({
      state: current.verification?.state ?? null,
      verified: current.verifiedAt !== null,
      suspension: suspendedAt && { since: instantOf(suspendedAt), reason: suspensionReason ?? "" },
    }),
  };
}
