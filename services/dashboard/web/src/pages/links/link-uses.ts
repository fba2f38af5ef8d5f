import type { getPaymentLink } from "@collect/contracts";
import type { ReplyOf } from "../../api/hooks.ts";

export type ShownLink = ReplyOf<typeof getPaymentLink>;

/** How often it was used, and how often it may be. */
export function usesOf({ uses, uses_max }: Pick<ShownLink, "uses" | "uses_max">): string {
  const count = uses.toLocaleString("en-NG");
  return uses_max === null ? count : `${count} of ${uses_max.toLocaleString("en-NG")}`;
}
