import { type Session, statement } from "@collect/database";

type Row = { merchant_id: string; basis_points: number };

const write = statement<Row>(`
  insert into fee_schedules (merchant_id, basis_points) values ($1, $2)
  on conflict (merchant_id) do update set basis_points = excluded.basis_points
  returning merchant_id, basis_points`);

/** The fee of a merchant on what is posted from now on. */
export async function setBasisPoints(
  session: Session,
  { merchantId, basisPoints }: { merchantId: string; basisPoints: number },
): Promise<Row> {
  const [row] = await write(session, [merchantId, basisPoints]);
  if (!row) throw new Error("an upsert without a row");
  return row;
}

const read = statement<Row>("select merchant_id, basis_points from fee_schedules where merchant_id = any($1::text[])");

/** A change of a fee is noticed this soon. What a collection was charged is decided when it is posted, and never again. */
const KNOWN_FOR_MS = 10_000;
const MERCHANTS_MAX = 50_000;

/** The basis points of each merchant: its own schedule, or else the one given. */
export type FeeSchedules = (session: Session, merchantIds: string[], otherwise: number) => Promise<Map<string, number>>;

/**
 * Keeps what it read of so many merchants for a while. An answer is made of what this call looked up or read, never of what
 * is kept by then: whatever the cache drops meanwhile, no merchant of a batch can be charged as if it had no schedule.
 */
export function createFeeSchedules(now: () => number = () => performance.now()): FeeSchedules {
  const cache = new Map<string, { basisPoints: number | null; until: number }>();

  function store(id: string, basisPoints: number | null): void {
    // Inserted anew, the entries stand in the order in which they were read: the oldest go first.
    cache.delete(id);
    cache.set(id, { basisPoints, until: now() + KNOWN_FOR_MS });
    for (const oldest of cache.keys()) {
      if (cache.size <= MERCHANTS_MAX) return;
      cache.delete(oldest);
    }
  }

  return async (session, merchantIds, otherwise) => {
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
    return new Map([...found].map(([id, basisPoints]) => [id, basisPoints ?? otherwise]));
  };
}
