import { answer, type Epochs, type Request } from "@collect/bus";
import { findPayout, returnPayout, takeBackReturn } from "@collect/contracts";
import type { Transfer } from "../domain/transfer.ts";
import { toNamedPayout } from "../domain/transfer-record.ts";
import { findPayout as find } from "../store/payout-returns.ts";
import { returnPayout as giveBack, type ReturnDeps } from "../use-cases/return-payout.ts";
import { takeBackReturn as takeBack } from "../use-cases/take-back-return.ts";

/** What operators do about live payouts that the bank returned, and does not say so. */
export function returnedPayoutRequests({ epochs, ...deps }: ReturnDeps & { epochs: Epochs }): Request[] {
  return [
    answer(findPayout, async ({ reference }) => {
      const found = await find(deps.pool, reference);
      return { payout: found ? toPayout(found) : null };
    }),
    answer(returnPayout, async ({ line, reason, ...payout }, { actor: by }) => {
      epochs.assertCurrent();
      return endOf(await giveBack(deps, payout, { line, reason, by }));
    }),
    answer(takeBackReturn, async ({ line, reason: _, ...payout }) => {
      epochs.assertCurrent();
      return endOf(await takeBack(deps, payout, line));
    }),
  ];
}

const endOf = ({ reference, verdict, status }: Transfer) => ({ reference, status: verdict ?? status });

const toPayout = (payout: Transfer) => ({
  ...toNamedPayout(payout),
  ...{ status: payout.status, ordered_at: payout.createdAt },
});
