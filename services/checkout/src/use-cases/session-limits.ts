import { CHECKOUT_LIMITS, type CheckoutLimit, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { countCall } from "@collect/http";
import { MINUTE_MS } from "../domain/budgets.ts";

export type CountSessionCall = (limit: CheckoutLimit, reference: string) => Promise<void>;

/** Counts a call that came through the gateway together with those to this host, and refuses it beyond the limit. */
export function countSessionCalls(pool: Pool): CountSessionCall {
  return async (limit, reference) => {
    const { hits, leftMs } = await countCall(pool, { key: `${limit}:${reference}`, windowMs: MINUTE_MS });
    if (hits <= CHECKOUT_LIMITS[limit]) return;
    throw new Problem(
      "rate_limited",
      `At most ${CHECKOUT_LIMITS[limit]} such calls a minute are allowed for a session.`,
      {
        retryAfterS: Math.max(Math.ceil(leftMs / 1_000), 1),
      },
    );
  };
}
