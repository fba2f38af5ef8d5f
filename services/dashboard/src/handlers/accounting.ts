import { browseSettlementTotals } from "@collect/contracts";
import { z } from "zod";
import type { Fields } from "../calls/declaration.ts";
import type { SettledRow } from "../domain/accounting.ts";
import type { SentCall } from "../http/call.ts";

/** What selects a page of settlements, as it was sent: the ledger parses it. */
const Selection = z.partialRecord(browseSettlementTotals.input.omit({ merchant: true }).keyof(), z.string());

/** A page of settlements as accounting software imports it. */
export async function listSettlementsAs(
  linesOf: (settlement: SettledRow, fields: Fields) => object[],
  { request, member: { merchant }, fields }: SentCall,
) {
  const selection = Object.entries(fields).filter(([name]) => name in browseSettlementTotals.input.shape);
  const asked = { ...Selection.parse(Object.fromEntries(selection)), merchant };
  const { data, next } = await request(browseSettlementTotals, asked);
  return { data: data.flatMap((settlement) => linesOf(settlement, fields)), next };
}
