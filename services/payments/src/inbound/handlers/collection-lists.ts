import { answer, type Bus, type Request } from "@collect/bus";
import {
  browseCollections,
  getCollection,
  type Input,
  type MerchantScope,
  Problem,
  readCollections,
  sumCollectionDays,
  sumCollections,
  toPage,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { isStorable, requestedPage, spanOf } from "../../domain/page.ts";
import { soughtInList } from "../../domain/sought.ts";
import type { PrismaClient } from "../../store/prisma.ts";
import { collectionOf } from "../domain/collection-view.ts";
import { daysOf } from "../domain/days.ts";
import {
  type CollectionFilter,
  findCollection,
  type ListedCollection,
  listCollections,
  readListedCollections,
  sumDays,
  sumCollections as sumListed,
} from "../store/collection-lists.ts";
import { reversalsOf, type ShownReversal } from "../store/reversals.ts";
import { searchCollections } from "../store/search.ts";
import { foundElsewhere } from "../use-cases/collections-elsewhere.ts";

/** Collection lists for the dashboard. */
export function collectionRequests({ prisma, lists, bus }: { prisma: PrismaClient; lists: Pool; bus: Bus }): Request[] {
  return [
    answer(browseCollections, async ({ merchant, settled, webhook, limit, after, from, before, ...filters }) => {
      const { filter, isPartial } = await filterOf(lists, merchant, filters);
      if (settled || webhook) {
        const others = { ...filter, ...spanOf({ from, before }) };
        const { rows, next } = await foundElsewhere(
          { prisma, bus },
          { merchant, settled, webhook, limit, after, others },
        );
        return { data: rows.map(collectionOf), next, is_partial: isPartial };
      }
      const page = requestedPage("int_", { limit, after, from, before });
      const rows = await listCollections(prisma, merchant, { page, filter });
      const shown = { limit, cursor: ({ paidAt, intakeId }: ListedCollection) => [paidAt, intakeId] };
      return { ...toPage(rows, { ...shown, toResponse: collectionOf }), is_partial: isPartial };
    }),

    answer(getCollection, async ({ merchant, reference }) => {
      const found = isStorable(reference) ? await findCollection(prisma, merchant, reference) : undefined;
      if (!found) throw new Problem("not_found", "There is no such collection.");
      const { intakeId: intake_id, postedAt: posted_at, attachedBy: attached_by, amountReversed } = found;
      const reversals = amountReversed > 0n ? await reversalsOf(lists, [intake_id]) : [];
      return {
        ...{ collection: collectionOf(found), intake_id, posted_at, attached_by },
        ...(reversals.length > 0 && { reversals: reversals.map(reversalRecordOf) }),
      };
    }),

    answer(readCollections, async ({ merchant, intake_ids }) => {
      const found = await readListedCollections(prisma, merchant, intake_ids.filter(isStorable));
      return { collections: found.map((row) => ({ ...collectionOf(row), intake_id: row.intakeId })) };
    }),

    answer(sumCollections, async ({ merchant, from, before, ...filters }) => {
      const { filter } = await filterOf(lists, merchant, filters);
      const sums = await sumListed(prisma, merchant, { span: spanOf({ from, before }), filter });
      return { totals: sums ? { ...sums, net: sums.amount - sums.fee } : null };
    }),

    answer(sumCollectionDays, async ({ merchant, from, to }) => {
      const { first, last } = daysOf({ from, to });
      return { days: await sumDays(lists, [merchant.id, merchant.mode, first, last]) };
    }),
  ];
}

const reversalRecordOf = ({ reversedAt, postedAt, sequence, intakeId: _, ...reversal }: ShownReversal) => ({
  ...reversal,
  ...{ reversed_at: reversedAt, posted_at: postedAt, sequence: sequence === null ? null : Number(sequence) },
});

type Filters = Omit<Input<typeof sumCollections>, "merchant" | "from" | "before">;

async function filterOf(
  lists: Pool,
  merchant: MerchantScope,
  { search, ...filters }: Filters,
): Promise<{ filter: CollectionFilter; isPartial?: boolean }> {
  const filter = {
    customerReference: filters.customer_reference,
    payerId: filters.payer_id,
    amountFrom: filters.amount_from,
    amountTo: filters.amount_to,
    references: filters.references?.filter(isStorable),
    isUnmatched: filters.match === "none",
    isTakenBack: filters.taken_back === "yes",
  };
  if (search === undefined) return { filter };
  const { keys, isPartial } = await searchCollections(lists, merchant, soughtInList(search));
  return { filter: { ...filter, searched: keys }, isPartial };
}
