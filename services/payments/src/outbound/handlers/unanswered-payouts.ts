import { answer, type Epochs, type Request } from "@collect/bus";
import { endPayout, listUnansweredPayouts, Problem, repeatPayout } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Transfer } from "../domain/transfer.ts";
import { listUnanswered } from "../store/unanswered-payouts.ts";
import { type EndDeps, endUnanswered, repeatUnanswered } from "../use-cases/end-unanswered.ts";

type Deps = Omit<EndDeps, "hasRecovered"> & { lists: Pool; epochs: Epochs };

/** What operators do about live payouts of which the bank does not say how they ended. */
export function unansweredPayoutRequests({ lists, epochs, ...given }: Deps): Request[] {
  const deps = { ...given, hasRecovered: epochs.hasRecovered };
  return [
    answer(listUnansweredPayouts, async ({ reference }) => {
      const unanswered = await listUnanswered(lists, { reference, sinceMs: given.times.unknownAfterMs });
      return { payouts: unanswered.map(toUnanswered) };
    }),

    answer(endPayout, async ({ bank_reference, reason, ...payout }, { actor: by }) => {
      epochs.assertCurrent();
      const ended = await endUnanswered(deps, payout, { bank_reference, reason, by });
      return { reference: ended.reference, status: ended.verdict ?? ended.status };
    }),

    answer(repeatPayout, async ({ reason: _, ...payout }) => {
      epochs.assertCurrent();
      const repeated = await repeatUnanswered(deps, payout);
      return { reference: payout.reference, status: repeated?.verdict ?? ("pending" as const) };
    }),
  ];
}

function toUnanswered({ reference, merchantId, partner, bankCode, accountNumber, amount, sentAt, approval }: Transfer) {
  if (sentAt === null) throw new Problem("internal_error", `${reference} was never sent`);
  return {
    ...{ reference, merchant_id: merchantId, partner, amount },
    ...{ bank_code: bankCode, account_number: accountNumber, sent_at: sentAt, approval },
  };
}
