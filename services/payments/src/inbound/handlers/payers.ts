import { answer, type Request } from "@collect/bus";
import { browsePayers, decodeCursor, toPage } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { z } from "zod";
import { soughtInList } from "../../domain/sought.ts";
import { payerOf } from "../domain/collection-view.ts";
import { type ListedPayer, listPayers } from "../store/payer-lists.ts";
import { searchPayers } from "../store/search.ts";

/** Payer lists for the dashboard. */
export function payerRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(browsePayers, async ({ merchant, limit, after: cursor, search, references }) => {
      const [after] = decodeCursor(cursor, [PayerId]) ?? [];
      const searched = search === undefined ? undefined : await searchPayers(pool, merchant, soughtInList(search));
      const selected = references?.filter((reference) => PayerId.safeParse(reference).success);
      const rows = await listPayers(pool, merchant, { limit: limit + 1, after, searched: searched?.keys, selected });
      const { data, next } = toPage(rows, { limit, cursor: ({ id }) => [id], toResponse });
      // A payer whose first collection is not stored yet is left out of the page, but its position counts.
      return { data: data.flat(), next, is_partial: searched?.isPartial };
    }),
  ];
}

const PayerId = z.string().regex(/^\d{1,18}$/);

const toResponse = ({ firstPaidAt, lastPaidAt, ...payer }: ListedPayer) =>
  firstPaidAt === null || lastPaidAt === null
    ? []
    : [{ ...payerOf(payer), first_paid_at: firstPaidAt, last_paid_at: lastPaidAt }];
