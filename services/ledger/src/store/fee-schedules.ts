import { statement, type Transaction as Tx } from "@collect/database";

const read = statement<{ merchant_id: string; basis_points: number }>(
  "select merchant_id, basis_points from fee_schedules where merchant_id = any($1::text[])",
);

/** The basis points of those merchants that have a schedule of their own. */
export async function feeSchedulesOf(tx: Tx, merchantIds: string[]): Promise<Map<string, number>> {
  const rows = await read(tx, [[...new Set(merchantIds)]]);
  return new Map(rows.map((row) => [row.merchant_id, row.basis_points]));
}
