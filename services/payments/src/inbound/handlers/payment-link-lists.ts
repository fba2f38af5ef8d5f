import { answer, type Request } from "@collect/bus";
import {
  browsePaymentLinks,
  decodeCursor,
  type Input,
  type MerchantScope,
  sumPaymentLinks,
  toPage,
  UtcInstant,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { z } from "zod";
import { isStorable } from "../../domain/page.ts";
import { soughtInList } from "../../domain/sought.ts";
import { paymentLinkOf } from "../domain/link-view.ts";
import { type LinkFilter, listLinks, sumLinks } from "../store/payment-link-lists.ts";
import { searchLinks } from "../store/search.ts";

type Deps = { config: { CHECKOUT_URL: string }; lists: Pool };

/** Link lists for the dashboard. */
export function paymentLinkListRequests({ config, lists }: Deps): Request[] {
  return [
    answer(browsePaymentLinks, async ({ merchant, limit, after, ...filters }) => {
      const { filter, isPartial } = await filterOf(lists, merchant, filters);
      const place = decodeCursor(after, [UtcInstant, z.string()]) ?? [];
      const rows = await listLinks(lists, merchant, { filter, after: place, limit: limit + 1 });
      const shown = toPage(rows, {
        limit,
        cursor: ({ createdAt, slug }) => [createdAt, slug],
        toResponse: (link) => paymentLinkOf(link, config.CHECKOUT_URL),
      });
      return { ...shown, is_partial: isPartial };
    }),

    answer(sumPaymentLinks, async ({ merchant, ...filters }) => {
      const { filter } = await filterOf(lists, merchant, filters);
      return { totals: (await sumLinks(lists, merchant, filter)) ?? null };
    }),
  ];
}

async function filterOf(
  lists: Pool,
  merchant: MerchantScope,
  { search, references, ...filters }: Omit<Input<typeof sumPaymentLinks>, "merchant">,
): Promise<{ filter: LinkFilter; isPartial?: boolean }> {
  const filter = {
    ...{ from: filters.from, before: filters.before, amountFrom: filters.amount_from, amountTo: filters.amount_to },
    selected: references?.filter(isStorable),
  };
  if (search === undefined) return { filter };
  const { keys, isPartial } = await searchLinks(lists, merchant, soughtInList(search));
  return { filter: { ...filter, searched: keys }, isPartial };
}
