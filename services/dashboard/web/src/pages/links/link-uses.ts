import type { ReadResponse } from "../../api/calls.ts";

export type PaymentLink = ReadResponse<"links/:slug">;

/** The number of uses, and the limit. */
export function usesOf({ uses, uses_max }: Pick<PaymentLink, "uses" | "uses_max">): string {
  const count = uses.toLocaleString("en-NG");
  return uses_max === null ? count : `${count} of ${uses_max.toLocaleString("en-NG")}`;
}
