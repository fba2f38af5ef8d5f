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

export function createFeeSchedules(now: () => number = () => performance.now()): FeeSchedules {
  const known = new Map<string, { basisPoints: number | undefined; until: number }>();

  async function learn(session: Session, merchantIds: string[]): Promise<void> {
    if (known.size > MERCHANTS_MAX) known.clear();
    const rows = await read(session, [merchantIds]);
    const own = new Map(rows.map((row) => [row.merchant_id, row.basis_points]));
    for (const id of merchantIds) known.set(id, { basisPoints: own.get(id), until: now() + KNOWN_FOR_MS });
  }

  return async (session, merchantIds, otherwise) => {
    const distinct = [...new Set(merchantIds)];
    const unknown = distinct.filter((id) => (known.get(id)?.until ?? 0) <= now());
    if (unknown.length > 0) await learn(session, unknown);
    return new Map(distinct.map((id) => [id, known.get(id)?.basisPoints ?? otherwise]));
  };
}
