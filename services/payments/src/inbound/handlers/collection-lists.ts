import { answer, type Request } from "@collect/bus";
import {
  browseCollections,
  browsePayers,
  decodeCursor,
  getCollection,
  Problem,
  readCollections,
  sumCollectionDays,
  toPage,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { z } from "zod";
import { isStorable, pageAsked } from "../../domain/page.ts";
import type { PrismaClient } from "../../store/prisma.ts";
import { collectionOf, payerOf } from "../domain/collection-view.ts";
import { daysOf } from "../domain/days.ts";
import { findCollection, listCollections, readListedCollections, sumDays } from "../store/collection-lists.ts";
import { type ListedPayer, listPayers, searchPayers } from "../store/payer-lists.ts";

/** Collections and those who paid them, as a merchant's people look at them. */
export function collectionRequests({ prisma, lists }: { prisma: PrismaClient; lists: Pool }): Request[] {
  return [
    answer(browseCollections, async ({ merchant, limit, search, customer_reference, payer_id, ...asked }) => {
      const page = pageAsked({ limit, ...asked });
      const filter = { customerReference: customer_reference, payerId: payer_id, search };
      const rows = await listCollections(prisma, merchant, { page, filter });
      return toPage(rows, { limit, place: ({ paidAt, intakeId }) => [paidAt, intakeId], show: collectionOf });
    }),

    answer(getCollection, async ({ merchant, reference }) => {
      const found = isStorable(reference) ? await findCollection(prisma, merchant, reference) : undefined;
      if (!found) throw new Problem("not_found", "There is no such collection.");
      return { collection: collectionOf(found), intake_id: found.intakeId, posted_at: found.postedAt };
    }),

    answer(readCollections, async ({ merchant, intake_ids }) => {
      const found = await readListedCollections(prisma, merchant, intake_ids.filter(isStorable));
      return { collections: found.map((row) => ({ ...collectionOf(row), intake_id: row.intakeId })) };
    }),

    answer(sumCollectionDays, async ({ merchant, from, to }) => {
      const { first, last } = daysOf({ from, to });
      return { days: await sumDays(lists, [merchant.id, merchant.mode, first, last]) };
    }),

    answer(browsePayers, async ({ merchant, limit, after: cursor, search }) => {
      const [after] = decodeCursor(cursor, [PayerId]) ?? [];
      const page = { limit: limit + 1, after };
      const rows =
        search === undefined
          ? await listPayers(lists, merchant, page)
          : await searchPayers(lists, merchant, { ...page, sought: search });
      const { data, next } = toPage(rows, { limit, place: ({ id }) => [id], show: shownPayer });
      // Whose first collection is not stored yet has not paid; the place in the list counts all the same.
      return { data: data.flat(), next };
    }),
  ];
}

const PayerId = z.string().regex(/^\d{1,18}$/);

const shownPayer = ({ firstPaidAt, lastPaidAt, ...payer }: ListedPayer) =>
  firstPaidAt === null || lastPaidAt === null
    ? []
    : [{ ...payerOf(payer), first_paid_at: firstPaidAt, last_paid_at: lastPaidAt }];
