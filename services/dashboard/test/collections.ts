import { browseCollections, type WireResult } from "@collect/contracts";
import type { Others } from "./others.ts";

type Collection = WireResult<typeof browseCollections>["data"][number];

export const aCollection = (n: number, customer_name = "Ngozi Eze"): Collection => ({
  reference: `col_${n}`,
  amount: 2500.73,
  fee: 25.01,
  net: 2475.72,
  currency: "NGN",
  customer_reference: `cust_${n}`,
  customer_name,
  account_number: "0123456789",
  payer: { id: "1", name: "OBI, ADA", account_number: "9876543210", bank_name: 'The "Test" Bank' },
  payment_reference: null,
  merchant_reference: null,
  paid_at: "2026-11-21T09:30:00.123+00:00",
  received_at: "2026-11-21T09:30:00.123+00:00",
  created_at: "2026-11-21T09:30:00.123+00:00",
  attached_at: null,
  mode: "live",
});

/** So many collections, in pages by a cursor that counts. */
export function playCollections(others: Others, total: number, name?: string) {
  others.reply(browseCollections, ({ after, limit }) => {
    const start = Number(after ?? 0);
    const size = Math.min(Number(limit), total - start);
    const next = start + size < total ? String(start + size) : null;
    return { data: Array.from({ length: size }, (_, n) => aCollection(start + n, name)), next };
  });
}
