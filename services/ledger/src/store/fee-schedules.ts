import { type Session, statement } from "@collect/database";

type Row = { merchant_id: string; basis_points: number };

const write = statement<Row>(`
  insert into fee_schedules (merchant_id, basis_points) values ($1, $2)
  on conflict (merchant_id) do update set basis_points = excluded.basis_points
  returning merchant_id, basis_points`);

/** Sets a merchant's fee for collections posted from now on. */
export async function setBasisPoints(
  session: Session,
  { merchantId, basisPoints }: { merchantId: string; basisPoints: number },
): Promise<Row> {
  const [row] = await write(session, [merchantId, basisPoints]);
  if (!row) throw new Error("an upsert returned no row");
  return row;
}

const read = statement<Row>("select merchant_id, basis_points from fee_schedules where merchant_id = any($1::text[])");

/** Those of the merchant's own schedule, as stored now. */
export async function basisPointsOf(session: Session, merchantId: string): Promise<number | undefined> {
  const [row] = await read(session, [[merchantId]]);
  return row?.basis_points;
}

/** The delay until a changed fee applies. The fee of a collection is decided once, when it is posted. */
const CACHE_TTL_MS = 10_000;
const MERCHANTS_MAX = 50_000;

/** The basis points of each merchant: from its own schedule, otherwise the default given. */
export type FeeSchedules = (
  session: Session,
  merchantIds: string[],
  defaultBasisPoints: number,
) => Promise<Map<string, number>>;

/**
 * Caches the schedules of up to MERCHANTS_MAX merchants. A result is built only from what this call found in the cache or
 * read, not from the cache afterwards: an eviction meanwhile cannot make a merchant look as if it had no schedule.
 */
export function createFeeSchedules(now: () => number = () => performance.now()): FeeSchedules {
  const cache = new Map<string, { basisPoints: number | null; until: number }>();

  function store(id: string, basisPoints: number | null): void {
    // Re-inserting keeps the map in the order in which the schedules were read: the oldest are evicted first.
    cache.delete(id);
    cache.set(id, { basisPoints, until: now() + CACHE_TTL_MS });
    for (const oldest of cache.keys()) {
      if (cache.size <= MERCHANTS_MAX) return;
      cache.delete(oldest);
    }
  }

  return async (session, merchantIds, defaultBasisPoints) => {
    const startedAt = now();
    const found = new Map<string, number | null>();
    for (const id of merchantIds) {
      const cached = cache.get(id);
      if (cached && cached.until > startedAt) found.set(id, cached.basisPoints);
    }
    const missing = [...new Set(merchantIds)].filter((id) => !found.has(id));
    if (missing.length > 0) {
      const rows = await read(session, [missing]);
      const own = new Map(rows.map((row) => [row.merchant_id, row.basis_points]));
      for (const id of missing) {
        const basisPoints = own.get(id) ?? null;
        found.set(id, basisPoints);
        store(id, basisPoints);
      }
    }
    return new Map([...found].map(([id, basisPoints]) => [id, basisPoints ?? defaultBasisPoints]));
  };
}
