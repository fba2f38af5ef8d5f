import { answer, type Request } from "@collect/bus";
import { browsePayers, decodeCursor, toPage } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { z } from "zod";
import { payerOf } from "../domain/collection-view.ts";
import { type ListedPayer, listPayers, searchPayers } from "../store/payer-lists.ts";

/** Those who paid, as a merchant's people look at them. */
export function payerRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(browsePayers, async ({ merchant, limit, after: cursor, search }) => {
      const [after] = decodeCursor(cursor, [PayerId]) ?? [];
      const page = { limit: limit + 1, after };
      const rows =
        search === undefined
          ? await listPayers(pool, merchant, page)
          : await searchPayers(pool, merchant, { ...page, sought: search });
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
