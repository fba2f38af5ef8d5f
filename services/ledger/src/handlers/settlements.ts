import { answer, type Epochs, type Request } from "@collect/bus";
import {
  browseCollected,
  browseSettlementLines,
  browseSettlements,
  browseSettlementTotals,
  decodeCursor,
  getSettlement,
  getSettlementSchedule,
  type Input,
  instantOf,
  type MerchantScope,
  Problem,
  type Result,
  runSettlement,
  setSettlementSchedule,
  settlementsOfCollections,
  sumSettlements,
  toPage,
  UtcInstant,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { minutesOf, nextSettlement, timeOf } from "../domain/settlement.ts";
import {
  findSettlement,
  lineOf,
  listCollected,
  listLines,
  listSettlements,
  type SettlementFilter,
  settlementsOf,
  sumSettlements as sumListed,
  Version,
} from "../store/settlement-history.ts";
import { readSchedule, setSchedule } from "../store/settlement-schedules.ts";
import { type Settlement, settle } from "../store/settlements.ts";
import { type SettlementSums, withinSums } from "../use-cases/sum-settlements.ts";

type Deps = {
  pool: Pool;
  lists: Pool;
  sumLines: SettlementSums;
  epochs: Pick<Epochs, "assertCurrent">;
  /** The clock by which settlements come due. */
  readNow(pool: Pool): Promise<Date>;
};

/** Settlement on the operator's demand, the settlement schedule, and past settlements. */
export function settlementRequests(deps: Deps): Request[] {
  return [...schedule(deps), ...history(deps), ...totals(deps)];
}

function schedule({ pool, readNow }: Deps): Request[] {
  return [
    answer(runSettlement, async ({ merchant }) => {
      const settlement = await transaction(pool, (tx) => settle(tx, { merchant, cutOff: null }));
      return { settlement: settlement && toSettlementResponse(settlement) };
    }),
    answer(getSettlementSchedule, async ({ merchant }) => {
      const schedule = await readSchedule(pool, merchant.id);
      const next_at = instantOf(nextSettlement(await readNow(pool), schedule));
      return { delay_days: schedule.delayDays, at: timeOf(schedule.atMinutes), next_at };
    }),
    answer(setSettlementSchedule, async ({ merchant_id, delay_days, at }) => {
      const schedule = { delayDays: delay_days, atMinutes: minutesOf(at) };
      const set = await setSchedule(pool, { merchantId: merchant_id, ...schedule });
      return { merchant_id: set.merchant_id, delay_days: set.delay_days, at: timeOf(set.at_minutes) };
    }),
  ];
}

function history({ lists }: Deps): Request[] {
  return [
    answer(browseSettlements, async ({ merchant, limit, after, ...filters }) => {
      const [place] = decodeCursor(after, [UtcInstant]) ?? [];
      const rows = await listSettlements(lists, merchant, {
        filter: filterOf(filters),
        after: place,
        limit: limit + 1,
      });
      return toPage(rows, { limit, cursor: (row) => [row.place], toResponse: toSettlementResponse });
    }),

    answer(sumSettlements, async ({ merchant, ...filters }) => ({
      totals: (await sumListed(lists, merchant, filterOf(filters))) ?? null,
    })),

    answer(settlementsOfCollections, async ({ merchant, intake_ids }) => ({
      settlements: await settlementsOf(lists, merchant, intake_ids),
    })),

    answer(browseCollected, async ({ merchant, settled, limit, after }) => {
      const [place] = decodeCursor(after, [Version]) ?? [];
      const before = place === undefined ? undefined : BigInt(place);
      const rows = await listCollected(lists, merchant, { isSettled: settled === "yes", before, limit: limit + 1 });
      return toPage(rows, {
        limit,
        cursor: ({ version }) => [version],
        toResponse: ({ intake_id }) => ({ intake_id }),
      });
    }),

    answer(browseSettlementLines, async ({ merchant, reference, limit, after }) => {
      const settlement = await settlementOf(lists, merchant, reference);
      const rows = await listLines(lists, settlement, { after: lineOf(settlement, after), limit: limit + 1 });
      return toPage(rows, {
        limit,
        cursor: ({ version }) => [version],
        toResponse: ({ version, ...line }) => ({ ...line, version: Number(version) }),
      });
    }),
  ];
}

/** Settlements with what their lines come to. */
function totals({ lists, sumLines, epochs }: Deps): Request[] {
  const totalled = async (settlement: Settlement) => ({
    ...toSettlementResponse(settlement),
    totals: await sumLines(settlement),
  });
  return [
    answer(browseSettlementTotals, async ({ merchant, limit, after, ...filters }) => {
      // A restored list lacks rows for a while: the books that import it would miss them.
      epochs.assertCurrent();
      const [place] = decodeCursor(after, [UtcInstant]) ?? [];
      const asked = { filter: filterOf(filters), after: place, limit: limit + 1 };
      const rows = await listSettlements(lists, merchant, asked);
      const { data: settlements, next } = toPage(rows, {
        limit: Math.min(limit, withinSums(rows)),
        cursor: (row) => [row.place],
        toResponse: (row) => row,
      });
      const data = [];
      for (const settlement of settlements) data.push(await totalled(settlement));
      return { data, next };
    }),

    answer(getSettlement, async ({ merchant, reference }) => totalled(await settlementOf(lists, merchant, reference))),
  ];
}

const filterOf = ({
  from,
  before,
  amount_from,
  amount_to,
  references,
  search,
}: Omit<Input<typeof sumSettlements>, "merchant">): SettlementFilter => ({
  ...{ from, before, amountFrom: amount_from, amountTo: amount_to },
  references: references?.map(storable),
  search: search && storable(search),
});

/** PostgreSQL cannot store NUL: text with it matches nothing. */
const storable = (text: string) => text.replaceAll("\0", "\uFFFD");

/** A settlement of another merchant or of the other mode is not found. */
async function settlementOf(pool: Pool, merchant: MerchantScope, reference: string): Promise<Settlement> {
  const settlement = await findSettlement(pool, merchant, reference);
  if (!settlement) throw new Problem("not_found", "There is no such settlement.");
  return settlement;
}

function toSettlementResponse(settlement: Settlement): Result<typeof getSettlement> {
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
