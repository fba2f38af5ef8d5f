import type { KeyScope, Mode } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import type { KeyType } from "../domain/api-key.ts";
import type { Budget } from "../domain/rate-limit.ts";

export type KeyCheck = {
  key_id: bigint;
  last_four: string;
  merchant_id: string;
  name: string;
  mode: Mode;
  kind: KeyType["kind"];
  /** The name of a restricted key. */
  key_name: string | null;
  /** The member who made or rolled it; null for one that an operator made, and for keys older than this record. */
  made_by: string | null;
  /** Whether a restricted key has the scope, and is used from one of its addresses; true for other keys. */
  has_scope: boolean;
  from_allowed: boolean;
  /** Whether the key's mode is open to its merchant: a live key of a business that is not verified is refused. */
  usable: boolean;
  /** Null for a call without a budget; then the cells are null too. */
  quota: number | null;
  /** Whether the call was within its budget, and was counted. */
  counted: boolean;
  minute: number | null;
  counts: number[] | null;
  /** Seconds since 1970 by the database's clock. */
  now: number;
};

/**
 * Authenticates and counts a call. Every call of every gateway is this one statement, so a revoked key is refused immediately
 * and the budgets are exact. Callers of one budget queue on its row; a refused one writes nothing and reads the cells as they
 * were when it was received. The clock is read under the lock, once per use, so that a call never counts as older than it is.
 * A public key is not counted: it is in web pages, where any visitor could exhaust its merchant's budget with it. Nor is a call
 * that a restricted key may not make: a stolen key cannot exhaust a budget from another address.
 */
const check = statement<KeyCheck>(`
  with caller as (
    select m.id as merchant_id, m.name, k.id as key_id, k.last_four, k.mode, k.kind, k.name as key_name,
      case k.made_by ->> 'kind' when 'member' then k.made_by ->> 'user_id' end as made_by,
      (k.mode = 'test' or m.verified_at is not null) as usable,
      k.kind <> 'restricted' or coalesce($3 = any (k.scopes), false) as has_scope,
      coalesce(cardinality(k.addresses), 0) = 0 or coalesce($4::inet <<= any (k.addresses::inet[]), false) as from_allowed,
      case $2 when 'accounts' then m.accounts_per_hour when 'reads' then m.reads_per_hour end as quota
    from api_keys k join merchants m on m.id = k.merchant_id
    where k.hash = $1 and (k.expires_at is null or k.expires_at > clock_timestamp())
  ), counted as (
    insert into rate_limit_cells as cells (merchant_id, budget, minute, counts)
    select merchant_id, $2, this_minute(), 1 || array_fill(0, array[60]) from caller
    where kind <> 'public' and has_scope and from_allowed and quota is not null
    on conflict (merchant_id, budget) do update
      set (minute, counts) = (
        select greatest(now.minute, cells.minute), aged.counts[1] + 1 || aged.counts[2:61]
        from this_minute() as now (minute), slid(cells.counts, now.minute - cells.minute) as aged (counts)
      )
      where total(slid(cells.counts, this_minute() - cells.minute)) < (select quota from caller)
    returning merchant_id, minute, counts
  )
  select caller.*, counted.merchant_id is not null as counted,
    coalesce(counted.minute, seen.minute) as minute, coalesce(counted.counts, seen.counts) as counts,
    extract(epoch from clock_timestamp())::float8 as now
  from caller
  left join counted using (merchant_id)
  left join rate_limit_cells seen on counted.merchant_id is null and seen.merchant_id = caller.merchant_id and seen.budget = $2`);

/** What a call does and where it comes from: the address is undefined if it is not known, or not an address. */
export type KeyUse = { budget?: Budget | undefined; scope?: KeyScope | undefined; address?: string | undefined };

/** Undefined for a key that is unknown, revoked or expired. */
export async function checkKey(
  pool: Pool,
  hash: Buffer,
  { budget, scope, address }: KeyUse,
): Promise<KeyCheck | undefined> {
  const [found] = await check(pool, [hash, budget ?? null, scope ?? null, address ?? null]);
  return found;
}
