import { answer, type Epochs, type Request } from "@collect/bus";
import { endPayout, listUnansweredPayouts, Problem, repeatPayout } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { toNamedPayout } from "../domain/transfer-record.ts";
import { listUnanswered, type Unanswered } from "../store/unanswered-payouts.ts";
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

function toUnanswered(payout: Unanswered) {
  const { reference, sentAt, unknownSince, approval } = payout;
  if (sentAt === null) throw new Problem("internal_error", `${reference} was never sent`);
  return { ...toNamedPayout(payout), sent_at: sentAt, unknown_since: unknownSince, approval };
}
