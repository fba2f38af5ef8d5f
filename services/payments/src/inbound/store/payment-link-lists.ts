import type { MerchantScope } from "@collect/contracts";
import { type Pool, query } from "@collect/database";
import { SUMMED_MAX } from "../../store/prisma.ts";
import { LINK_COLUMNS, type ReadLink } from "./payment-links.ts";

/** Link lists for the dashboard. */
export type LinkFilter = Partial<{
  /** Created in [from, before). */
  from: string | undefined;
  before: string | undefined;
  /** Both included. */
  amountFrom: bigint | undefined;
  amountTo: bigint | undefined;
  /** The slugs that were searched for, and those that were selected. */
  searched: string[] | undefined;
  selected: string[] | undefined;
}>;

const MATCHING = `l.merchant_id = $1 and l.mode = $2
    and ($3::timestamptz is null or l.created_at >= $3) and ($4::timestamptz is null or l.created_at < $4)
    and ($5::bigint is null or l.amount >= $5) and ($6::bigint is null or l.amount <= $6)
    and ($7::text[] is null or l.slug = any($7)) and ($8::text[] is null or l.slug = any($8))`;

const parametersOf = ({ id, mode }: MerchantScope, filter: LinkFilter) => {
  const { from, before, amountFrom, amountTo, searched, selected } = filter;
  return [id, mode, from, before, amountFrom, amountTo, searched, selected];
};

const list = query<ReadLink>(`
  select ${LINK_COLUMNS} from payment_links l
  where ${MATCHING} and (l.created_at, l.slug) < (coalesce($9::timestamptz, 'infinity'), coalesce($10, ''))
  order by l.created_at desc, l.slug desc limit $11`);

/** A page of a merchant's links, newest first, after a cursor. */
export function listLinks(
  pool: Pool,
  merchant: MerchantScope,
  { filter, after: [createdAt, slug], limit }: { filter: LinkFilter; after: string[]; limit: number },
): Promise<ReadLink[]> {
  return list(pool, [...parametersOf(merchant, filter), createdAt, slug, limit]);
}

const sum = query<{ count: number; collected: bigint }>(`
  select count(*)::integer as count, coalesce(sum(collected), 0)::bigint as collected
  from (select l.collected from payment_links l where ${MATCHING} limit ${SUMMED_MAX + 1}) as matching`);

/** What a list of links comes to; undefined if it is longer than what is summed. */
export async function sumLinks(pool: Pool, merchant: MerchantScope, filter: LinkFilter) {
  const [sums] = await sum(pool, parametersOf(merchant, filter));
  return sums && sums.count <= SUMMED_MAX ? sums : undefined;
}
