import { answer, type Bus, type Epochs, type Request } from "@collect/bus";
import {
  cursorPageOf,
  decodeCursor,
  listSettlements,
  type MerchantScope,
  notFound,
  Problem,
  readCollections,
  readSettlement,
  settleTestMoney,
  toPage,
  UtcInstant,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import {
  findSettlement,
  type Line,
  lineOf,
  listLines,
  listSettlements as pageOfSettlements,
} from "../store/settlement-history.ts";
import { type Settlement, settle } from "../store/settlements.ts";
import type { SettlementSums } from "../use-cases/sum-settlements.ts";

type Deps = {
  pool: Pool;
  lists: Pool;
  sumLines: SettlementSums;
  bus: Bus;
  epochs: Pick<Epochs, "assertCurrent">;
};

/** Settlements, as merchants' servers read them. */
export function settlementsByKey({ pool, lists, sumLines, bus, epochs }: Deps): Request[] {
  /** The ledger knows a collection by its intake; its merchant, by its reference. A cover is of no collection. */
  async function shown(merchant: MerchantScope, lines: Line[]) {
    const intake_ids = lines.flatMap(({ kind, key }) => (kind === "cover" ? [] : [key]));
    const { collections } = await bus.request(readCollections, { merchant, intake_ids });
    const referenceOf = new Map(collections.map(({ intake_id, reference }) => [intake_id, reference]));
    return lines.map(({ key, kind, gross, fee, amount, recorded_at }) => ({
      kind,
      collection_reference: kind === "cover" ? null : (referenceOf.get(key) ?? null),
      amount: gross,
      fee,
      net: amount,
      recorded_at,
    }));
  }

  return [
    answer(listSettlements, async ({ merchant, limit, after }) => {
      // A restored list lacks rows for a while: a merchant that reads on from here would miss them.
      epochs.assertCurrent();
      const [place] = decodeCursor(after, [UtcInstant]) ?? [];
      const rows = await pageOfSettlements(lists, merchant, { filter: {}, after: place, limit: limit + 1 });
      const listed = toPage(rows, { limit, cursor: (row) => [row.place], toResponse: settlementOf });
      return cursorPageOf(listed, { limit, mode: merchant.mode });
    }),

    answer(settleTestMoney, async ({ merchant }) => {
      if (merchant.mode !== "test") throw new Problem("test_key_required", "Live money is settled by its schedule.");
      epochs.assertCurrent();
      const settlement = await transaction(pool, (tx) => settle(tx, { merchant, cutOff: null }));
      return { settlement: settlement && settlementOf(settlement), mode: merchant.mode };
    }),

    answer(readSettlement, async ({ merchant, id, limit, after }) => {
      const settlement = await findSettlement(lists, merchant, id);
      if (!settlement) {
        epochs.assertCurrent();
        throw notFound();
      }
      const rows = await listLines(lists, settlement, { after: lineOf(settlement, after), limit: limit + 1 });
      const { data, next } = toPage(rows, { limit, cursor: ({ version }) => [version], toResponse: (line) => line });
      const lines = { data: await shown(merchant, data), limit, has_more: next !== null, next };
      return { ...settlementOf(settlement), totals: await sumLines(settlement), lines };
    }),
  ];
}

const settlementOf = ({ reference, mode, amount, cut_off, created_at }: Settlement) => ({
  id: reference,
  amount,
  currency: "NGN" as const,
  cut_off,
  created_at,
  mode,
});
