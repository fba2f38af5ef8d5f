import { answer, type Bus, type Epochs, type Request } from "@collect/bus";
import { claimLine, getLineOffer, Problem, reportMissedTransfer, withdrawMissedTransfer } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { intakeIdOf, type ReportedTransfer } from "../domain/intake.ts";
import { keepOffer, reopenOffer } from "../store/line-offers.ts";
import { claimSession } from "../store/missed-transfers.ts";
import type { Intake } from "../use-cases/intake.ts";
import { finishWithdrawal, withdrawOffer } from "../use-cases/withdraw-offer.ts";

type Deps = {
  pool: Pool;
  bus: Bus;
  intake: Intake;
  intakeKey: string;
  partners: readonly { id: string }[];
  epochs: Pick<Epochs, "assertCurrent">;
};

const NARRATION_MAX = 200;

/**
 * A transfer that an operator found in a statement takes the way of one that its bank reports. statements gives the line away under one
 * id only. The transfer is known by the bank's own id, so the bank's late report is a duplicate of it, or, if it says something else or has
 * the same session under another id, in quarantine.
 */
export function missedTransferRequests({ pool, bus, intake, intakeKey, partners, epochs }: Deps): Request[] {
  const withdraw = (offer: Parameters<typeof withdrawOffer>[1]) => withdrawOffer({ pool, bus, intakeKey }, offer);
  return [
    answer(reportMissedTransfer, async ({ payer_name, paid_at, ...offered }) => {
      // What was credited, and what was decided on an offer, may be missing after a restore.
      epochs.assertCurrent();
      const claim = () => bus.request(claimLine, { ...offered, amount: offered.amount.toString() });
      const first = await claim().catch(async (refusal: unknown) => {
        await finishWithdrawal({ pool, bus }, offered);
        throw refusal;
      });
      const line = claimLine.output.parse(first);
      // Under another bank's name the same transfer would be another one.
      if (!partners.some(({ id }) => id === line.bank))
        throw new Problem("not_found", "The line is of a bank that is no partner.");
      const paidAt = paid_at ?? line.paid_at;
      if (paidAt === null) throw new Problem("validation_failed", "The line does not say when it was paid.");
      const transfer: ReportedTransfer = {
        ...{ bank: line.bank, mode: "live", bankTransferId: offered.bank_transfer_id, type: "credit", currency: "NGN" },
        ...{ accountNumber: offered.account_number, amount: offered.amount, bankFee: offered.amount - line.amount },
        ...{ reverses: null, sessionId: line.session_id, paidAt },
        narration: line.narration.slice(0, NARRATION_MAX),
        payer: { name: payer_name, accountNumber: null, bankName: null },
      };
      const own = intakeIdOf(intakeKey, transfer);
      const holder = await claimSession(pool, { ...transfer, intakeId: own });
      // Kept, it would have the session after a restore that lost the report.
      if (holder !== own) {
        await withdraw({ ...line, line: offered.line, bank_transfer_id: offered.bank_transfer_id });
        throw new Problem("conflict", `The session was reported or offered under another id of the bank: ${holder}.`);
      }
      // From now on a report of the session under another id is in quarantine. What was reported by now without it has matched the line.
      const again = claimLine.output.parse(await claim());
      // A restore of statements may have given its number to another line.
      if (again.offered_at !== line.offered_at)
        throw new Problem("conflict", "The line was offered once more meanwhile: withdraw that, and offer it again.");
      const offer = { line: offered.line, offeredAt: line.offered_at };
      if (!(await keepOffer(pool, offer)))
        throw new Problem("conflict", "The offer was withdrawn: withdraw it once more, and offer the line again.");
      const { intakeId, status } = await intake.accept(transfer);
      if (status === "quarantined") await reopenOffer(pool, offer);
      return { intake_id: intakeId, status };
    }),
    answer(withdrawMissedTransfer, async ({ line, bank_transfer_id }) => {
      epochs.assertCurrent();
      const found = getLineOffer.output.parse(await bus.request(getLineOffer, { line, bank_transfer_id }));
      if (!(await withdraw({ ...found, line, bank_transfer_id })))
        throw new Problem("conflict", "It was credited under this id, or offering it again will credit it.");
      return {};
    }),
  ];
}
