import { answer, type Request } from "@collect/bus";
import {
  getPayoutLimits,
  type Result,
  setOwnPayoutLimits,
  setPayoutLimits,
  type PayoutLimits as WireLimits,
} from "@collect/contracts";
import { type Pool, type Session, type Transaction, transaction } from "@collect/database";
import { allowMore, type PayoutLimits, stricter } from "../domain/payout-limits.ts";
import { insertLimits, lockLimits, readLimits, readOrderedToday, readUpcoming } from "../store/payout-limits.ts";

type Deps = { pool: Pool; standardLimits: PayoutLimits };
type Current = Result<typeof getPayoutLimits>;

/**
 * A change of the merchant's own that allows more waits: whoever has taken over an account cannot empty it before the
 * team has seen the change.
 */
const LOOSENED_AFTER_MS = 24 * 3_600_000;

export function payoutLimitRequests(deps: Deps): Request[] {
  const { pool, standardLimits: standard } = deps;
  return [
    answer(getPayoutLimits, ({ merchant_id }) => current(pool, deps, merchant_id)),

    answer(setPayoutLimits, ({ merchant_id: merchantId, ...limits }) =>
      changing(deps, merchantId, (tx) =>
        insertLimits(tx, { merchantId, author: "operator", limits: limitsOf(limits), delayMs: 0 }),
      ),
    ),

    answer(setOwnPayoutLimits, ({ merchant_id: merchantId, ...given }) =>
      changing(deps, merchantId, async (tx) => {
        const limits = limitsOf(given);
        const { merchant } = await readLimits(tx, { merchantId, standard });
        const change = { merchantId, author: "merchant" as const };
        // What is stricter applies at once, also beside a limit that is raised.
        await insertLimits(tx, { ...change, limits: stricter(merchant, limits), delayMs: 0 });
        if (allowMore(merchant, limits)) await insertLimits(tx, { ...change, limits, delayMs: LOOSENED_AFTER_MS });
      }),
    ),
  ];
}

/** Changes of one merchant's limits come one after the other: each is compared with the one before it. */
function changing(deps: Deps, merchantId: string, change: (tx: Transaction) => Promise<void>): Promise<Current> {
  return transaction(deps.pool, async (tx) => {
    await lockLimits(tx, merchantId);
    await change(tx);
    return current(tx, deps, merchantId);
  });
}

async function current(session: Session, { standardLimits }: Deps, merchantId: string): Promise<Current> {
  const { operator, merchant } = await readLimits(session, { merchantId, standard: standardLimits });
  const upcoming = await readUpcoming(session, merchantId);
  return {
    merchant_id: merchantId,
    limits: toWire(stricter(operator, merchant)),
    operator: toWire(operator),
    merchant: toWire(merchant),
    upcoming: upcoming && { ...toWire(upcoming), effective_at: upcoming.effectiveAt },
    ordered_today: await readOrderedToday(session, merchantId),
  };
}

const limitsOf = ({ transfer_max, day_max, approval_above }: WireLimits): PayoutLimits => ({
  transferMax: transfer_max,
  dayMax: day_max,
  approvalAbove: approval_above,
});
const toWire = ({ transferMax, dayMax, approvalAbove }: PayoutLimits): WireLimits => ({
  transfer_max: transferMax,
  day_max: dayMax,
  approval_above: approvalAbove,
});
