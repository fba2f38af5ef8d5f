import { answer, type Bus, type Epochs, type Request } from "@collect/bus";
import {
  browseSettlementLines,
  type Collection,
  cursorPageOf,
  eventsOfCollections,
  foreignCursor,
  type Input,
  invalidFields,
  listCollections,
  type MerchantScope,
  notFound,
  readCollection,
  settlementsOfCollections,
  toPage,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { isStorable, requestedPage } from "../../domain/page.ts";
import type { PrismaClient } from "../../store/prisma.ts";
import { collectionByKeyOf } from "../domain/collection-view.ts";
import {
  type CollectionFilter,
  findCollection,
  isCollectionOf,
  type ListedCollection,
  listCollections as pageOfCollections,
  readListedCollections,
} from "../store/collection-lists.ts";
import { reversalsOf } from "../store/reversals.ts";

type Deps = { prisma: PrismaClient; lists: Pool; bus: Bus; epochs: Pick<Epochs, "assertCurrent"> };
type Asked = Input<typeof listCollections>;

/** Collections, as merchants' servers read them. */
export function collectionsByKey(deps: Deps): Request[] {
  const { prisma, epochs } = deps;
  return [
    answer(listCollections, async (asked) => {
      // A restored list lacks rows for a while: a merchant that reads on from here would miss them.
      epochs.assertCurrent();
      const { merchant, limit, settlement_id } = asked;
      assertAlone(asked);
      const { rows, next } = await (settlement_id === undefined
        ? newestFirst(deps, asked)
        : settledBy(deps, settlement_id, asked));
      return cursorPageOf({ data: await shown(deps, merchant, rows), next }, { limit, mode: merchant.mode });
    }),

    answer(readCollection, async ({ merchant, reference }) => {
      const found = isStorable(reference) ? await findCollection(prisma, merchant, reference) : undefined;
      const [collection] = found ? await shown(deps, merchant, [found]) : [];
      if (collection) return collection;
      epochs.assertCurrent();
      throw notFound();
    }),
  ];
}

/** With the settlements and events that the ledger and webhooks have of them by now. */
async function shown({ bus, lists }: Deps, merchant: MerchantScope, rows: ListedCollection[]): Promise<Collection[]> {
  if (rows.length === 0) return [];
  const reversed = rows.flatMap(({ intakeId, amountReversed }) => (amountReversed > 0n ? [intakeId] : []));
  const [{ settlements }, { events }, reversals] = await Promise.all([
    bus.request(settlementsOfCollections, { merchant, intake_ids: rows.map(({ intakeId }) => intakeId) }),
    bus.request(eventsOfCollections, { merchant, references: rows.map(({ reference }) => reference) }),
    reversalsOf(lists, reversed),
  ]);
  const reversalsBy = Map.groupBy(reversals, ({ intakeId }) => intakeId);
  const settlementOf = new Map(settlements.map(({ intake_id, reference }) => [intake_id, reference]));
  const eventOf = new Map(events.map(({ reference, ...event }) => [reference, event]));
  return rows.map((row) =>
    collectionByKeyOf(row, {
      settlement_id: settlementOf.get(row.intakeId) ?? null,
      event: eventOf.get(row.reference) ?? null,
      reversals: reversalsBy.get(row.intakeId) ?? [],
    }),
  );
}

/** The ledger knows what a settlement settled. */
async function settledBy({ prisma, bus }: Deps, reference: string, { merchant, limit, after }: Asked) {
  const { data, next } = await bus.request(browseSettlementLines, {
    ...{ merchant, reference },
    ...{ limit: String(limit), after },
  });
  // A reversal is a line of a collection that may be settled elsewhere, and what Settled covered of none.
  const settled = data.filter(({ kind }) => kind === "collection" || kind === "allocation");
  const intakeIds = settled.map(({ key }) => key);
  const byId = new Map((await readListedCollections(prisma, merchant, intakeIds)).map((row) => [row.intakeId, row]));
  return { rows: settled.flatMap(({ key }) => byId.get(key) ?? []), next };
}

async function newestFirst({ prisma }: Deps, { merchant, limit, after, paid_from, paid_to, ...filters }: Asked) {
  const page = requestedPage("int_", { limit, after, from: paid_from, before: paid_to });
  if (page.key && !(await isCollectionOf(prisma, merchant, page.key))) throw foreignCursor();
  const rows = await pageOfCollections(prisma, merchant, { page, filter: filterOf(filters) });
  const cursor = ({ paidAt, intakeId }: ListedCollection) => [paidAt, intakeId];
  const { data, next } = toPage(rows, { limit, cursor, toResponse: (row) => row });
  return { rows: data, next };
}

const filterOf = (filters: Partial<Asked>): CollectionFilter => ({
  customerReference: filters.customer_reference,
  accountNumber: filters.account_number,
  paymentReference: filters.payment_reference,
  merchantReference: filters.merchant_reference,
  amount: filters.amount,
});

function assertAlone({ merchant: _merchant, limit: _limit, after: _after, settlement_id, ...others }: Asked): void {
  if (settlement_id === undefined || Object.values(others).every((value) => value === undefined)) return;
  throw invalidFields([
    {
      param: "settlement_id",
      code: "invalid",
      message: "cannot be combined with another filter; leave the others out",
    },
  ]);
}
