import { type Session, statement } from "@collect/database";

const read = statement<{ merchant_id: string; basis_points: number }>(
  "select merchant_id, basis_points from fee_schedules where merchant_id = any($1::text[])",
);

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
