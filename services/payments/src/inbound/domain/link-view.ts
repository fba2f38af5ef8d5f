import type { PaymentLink as PaymentLinkResponse } from "@collect/contracts";
import { linkStatus, type PaymentLink } from "./payment-link.ts";

/** The link as the dashboard shows it; its status is that of the time when it was read. */
export function paymentLinkOf(link: PaymentLink & { readAt: string }, checkoutUrl: string): PaymentLinkResponse {
  return {
    slug: link.slug,
    url: `${checkoutUrl.replace(/\/$/, "")}/l/${link.slug}`,
    title: link.title,
    description: link.description,
    amount: link.amount,
    status: linkStatus(link, link.readAt),
    expires_at: link.expiresAt,
    uses_max: link.usesMax,
    uses: link.uses,
    collected: link.collected,
    created_at: link.createdAt,
    mode: link.mode,
  };
}
