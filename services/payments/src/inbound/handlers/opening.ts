import { answer, type Request } from "@collect/bus";
import { openCryptoPayment, openPayment, openPublicPayment, Problem, setAmountLimit } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { AMOUNT_MAX } from "../domain/session.ts";
import { checkoutUrlOf, paymentOf, snapshotOf } from "../domain/session-view.ts";
import { setAmountLimitOf } from "../store/amount-limits.ts";
import { findPaymentOf } from "../store/sessions.ts";
import type { OpenSession, SessionConfig } from "../use-cases/create-session.ts";

type Deps = { config: SessionConfig; pool: Pool; open: OpenSession };

/** How a merchant opens sessions: its server with a secret key, its pages with a public one. */
export function openingRequests({ config, pool, open }: Deps): Request[] {
  return [
    answer(openPayment, async (asked, requestId) => {
      const { session, created } = await open({ ...asked, openedBy: "secret_key" }, requestId);
      const stored = created ? undefined : await findPaymentOf(pool, asked.merchant, session.reference);
      const { session: shown, collections } = stored ?? { session, collections: [] };
      return { payment: paymentOf(shown, collections, config.CHECKOUT_URL), created };
    }),

    answer(openPublicPayment, async (asked, requestId) => {
      const { session, created } = await open({ ...asked, openedBy: "public_key" }, requestId);
      return {
        session: snapshotOf(session),
        merchant_reference: session.merchantReference,
        checkout_url: checkoutUrlOf(session, config.CHECKOUT_URL),
        created,
      };
    }),

    answer(setAmountLimit, async ({ merchant_id, amount: asked }) => {
      const isAbove = asked > AMOUNT_MAX;
      const amount = isAbove ? AMOUNT_MAX : asked;
      await setAmountLimitOf(pool, merchant_id, amount);
      return { merchant_id, amount };
    }),

    answer(openCryptoPayment, () => {
      throw new Problem("crypto_unavailable", "USDT payments are not available yet.");
    }),
  ];
}
