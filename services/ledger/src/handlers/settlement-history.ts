import { answer } from "@collect/bus";
import {
  browseSettlementLines,
  browseSettlements,
  decodeCursor,
  getSettlement,
  type MerchantScope,
  Problem,
  type Result,
  toPage,
  UtcInstant,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { z } from "zod";
import { findSettlement, listLines, listSettlements } from "../store/settlement-history.ts";
import type { Settlement } from "../store/settlements.ts";

const Version = z.string().regex(/^\d{1,18}$/);

/** What was settled, for whoever looks at it. */
export const settlementHistory = (pool: Pool) => [
  answer(browseSettlements, async ({ merchant, limit, after, from, before }) => {
    const [place] = decodeCursor(after, [UtcInstant]) ?? [];
    const rows = await listSettlements(pool, merchant, { from, before, after: place, limit: limit + 1 });
    return toPage(rows, { limit, place: (row) => [row.place], show: shownSettlement });
  }),

  answer(getSettlement, async ({ merchant, reference }) =>
    shownSettlement(await settlementOf(pool, merchant, reference)),
  ),

  answer(browseSettlementLines, async ({ merchant, reference, limit, after }) => {
    const [place = "0"] = decodeCursor(after, [Version]) ?? [];
    const settlement = await settlementOf(pool, merchant, reference);
    const rows = await listLines(pool, settlement, { after: BigInt(place), limit: limit + 1 });
    return toPage(rows, {
      limit,
      place: ({ version }) => [version],
      show: ({ version, ...line }) => ({ ...line, version: Number(version) }),
    });
  }),
];

/** A settlement of somebody else, or of the other mode, is not there. */
async function settlementOf(pool: Pool, merchant: MerchantScope, reference: string): Promise<Settlement> {
  const settlement = await findSettlement(pool, merchant, reference);
  if (!settlement) throw new Problem("not_found", "There is no such settlement.");
  return settlement;
}

export function shownSettlement(settlement: Settlement): Result<typeof getSettlement> {
  const { reference, merchant_id, mode, cut_off, from_version, to_version, amount, transaction_id, created_at } =
    settlement;
  return {
    reference,
    merchant_id,
    mode,
    currency: "NGN",
    amount,
    cut_off,
    from_version: Number(from_version),
    to_version: Number(to_version),
    transaction_id,
    created_at,
  };
}
