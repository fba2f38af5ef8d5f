import type { Bus } from "@collect/bus";
import { browseCollected, browseDeliveries, type MerchantScope, settlementsOfCollections } from "@collect/contracts";
import { requestedPage, type Span } from "../../domain/page.ts";
import type { PrismaClient } from "../../store/prisma.ts";
import { type CollectionFilter, type ListedCollection, listCollections } from "../store/collection-lists.ts";

type Deps = { prisma: PrismaClient; bus: Bus };
type Asked = {
  merchant: MerchantScope;
  settled?: "yes" | "no" | undefined;
  webhook?: "failing" | "exhausted" | undefined;
  limit: number;
  after: string | undefined;
  others: CollectionFilter & Span;
};

/** Collections that are looked up at once. */
const PAGE_MAX = 100;
/** Pages of the other service of which none matches the other filters, before an empty page is returned with its cursor. */
const PAGES_MAX = 5;

/**
 * Collections by what only the ledger or webhooks know of them: their page is read first, and of it those that match the other
 * filters are shown. The cursor is that of the other service.
 */
export async function foundElsewhere(deps: Deps, asked: Asked) {
  const limit = Math.min(asked.limit, PAGE_MAX);
  let after = asked.after;
  for (let pages = 1; ; pages++) {
    const { found, next } = await pageElsewhere(deps, { ...asked, limit, after });
    const rows = await matching(deps, { ...asked, limit, found });
    if (rows.length > 0 || next === null || pages === PAGES_MAX) return { rows, next };
    after = next;
  }
}

type Page = { found: Pick<CollectionFilter, "references" | "intakeIds">; next: string | null };

async function pageElsewhere({ bus }: Deps, { merchant, settled, webhook, limit, after }: Asked): Promise<Page> {
  const page = { merchant, limit: String(limit), after };
  if (webhook !== undefined) {
    const deliveries = { ...page, status: webhook, event: "collection.success" };
    const { data, next } = await bus.request(browseDeliveries, deliveries);
    return { found: { references: data.map(({ reference }) => reference) }, next };
  }
  const { data, next } = await bus.request(browseCollected, { ...page, settled: settled ?? "no" });
  return { found: { intakeIds: data.map(({ intake_id }) => intake_id) }, next };
}

async function matching({ prisma, bus }: Deps, asked: Asked & Pick<Page, "found">): Promise<ListedCollection[]> {
  const { merchant, limit, settled, webhook, found } = asked;
  const { from, before, ...others } = asked.others;
  const references =
    others.references && found.references ? intersection(others.references, found.references) : found.references;
  const rows = await listCollections(prisma, merchant, {
    page: { ...requestedPage("int_", { limit }), from, ...(before && { before }) },
    filter: { ...others, ...found, references: references ?? others.references },
  });
  if (webhook === undefined || settled === undefined || rows.length === 0) return rows;
  const intakeIds = rows.map(({ intakeId }) => intakeId);
  const { settlements } = await bus.request(settlementsOfCollections, { merchant, intake_ids: intakeIds });
  const settledIds = new Set(settlements.map(({ intake_id }) => intake_id));
  return rows.filter(({ intakeId }) => settledIds.has(intakeId) === (settled === "yes"));
}

const intersection = (one: string[], other: string[]) => one.filter((value) => other.includes(value));
