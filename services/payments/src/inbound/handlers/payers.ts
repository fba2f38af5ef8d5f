import { answer, type Request } from "@collect/bus";
import { browsePayers, decodeCursor, toPage } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { z } from "zod";
import { payerOf } from "../domain/collection-view.ts";
import { type ListedPayer, listPayers, searchPayers } from "../store/payer-lists.ts";

/** Payer lists for the dashboard. */
export function payerRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(browsePayers, async ({ merchant, limit, after: cursor, search }) => {
      const [after] = decodeCursor(cursor, [PayerId]) ?? [];
      const page = { limit: limit + 1, after };
      const rows =
        search === undefined
          ? await listPayers(pool, merchant, page)
          : await searchPayers(pool, merchant, { ...page, search });
      const { data, next } = toPage(rows, { limit, cursor: ({ id }) => [id], toResponse });
      // A payer whose first collection is not stored yet is left out of the page, but its position counts.
      return { data: data.flat(), next };
    }),
  ];
}

const PayerId = z.string().regex(/^\d{1,18}$/);

const toResponse = ({ firstPaidAt, lastPaidAt, ...payer }: ListedPayer) =>
  firstPaidAt === null || lastPaidAt === null
    ? []
    : [{ ...payerOf(payer), first_paid_at: firstPaidAt, last_paid_at: lastPaidAt }];
