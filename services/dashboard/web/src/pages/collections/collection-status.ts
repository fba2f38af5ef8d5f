import type { RowOf } from "../../api/calls.ts";

/** Whether the bank took it back: `received`, `partly_reversed` or `reversed`. */
export function collectionStatus({
  amount,
  amount_reversed = 0,
}: Pick<RowOf<"collections">, "amount" | "amount_reversed">): string {
  if (amount_reversed === 0) return "received";
  return amount_reversed < amount ? "partly_reversed" : "reversed";
}
