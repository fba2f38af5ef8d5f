import { answer, type Bus, type Request } from "@collect/bus";
import {
  claimLine,
  getLineOffer,
  Problem,
  releaseLine,
  reportMissedTransfer,
  withdrawMissedTransfer,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { intakeIdOf, type ReportedTransfer } from "../domain/intake.ts";
import { keepOffer, reopenOffer, withdrawOffer } from "../store/line-offers.ts";
import { claimSession, releaseSession } from "../store/missed-transfers.ts";
import type { Intake } from "../use-cases/intake.ts";

type Deps = { pool: Pool; bus: Bus; intake: Intake; intakeKey: string; partners: readonly { id: string }[] };

const NARRATION_MAX = 200;

/**
 * A transfer that an operator found in a statement takes the way of one that its bank reports. statements gives the line away under one
 * id only. The transfer is known by the bank's own id, so the bank's late report is a duplicate of it, or, if it says something else or has
 * the same session under another id, in quarantine.
 */
export function missedTransferRequests({ pool, bus, intake, intakeKey, partners }: Deps): Request[] {
  return [
    answer(reportMissedTransfer, async ({ payer_name, paid_at, ...offered }) => {
      const claim = () => bus.request(claimLine, { ...offered, amount: offered.amount.toString() });
      const line = claimLine.output.parse(await claim());
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
      if (!(await claimSession(pool, { ...transfer, intakeId: intakeIdOf(intakeKey, transfer) })))
        throw new Problem("conflict", "A transfer of this session was offered under another id.");
      // From now on a report of the session under another id is in quarantine; one from before has matched the line by now.
      await claim();
      const offer = { line: offered.line, offeredAt: line.offered_at };
      if (!(await keepOffer(pool, offer)))
        throw new Problem("conflict", "The offer was withdrawn: withdraw it once more, and offer the line again.");
      const { intakeId, status } = await intake.accept(transfer);
      if (status === "quarantined") await reopenOffer(pool, offer);
      return { intake_id: intakeId, status };
    }),
    answer(withdrawMissedTransfer, async ({ line, bank_transfer_id }) => {
      const found = getLineOffer.output.parse(await bus.request(getLineOffer, { line, bank_transfer_id }));
      const transfer = { bank: found.bank, mode: "live" as const, bankTransferId: bank_transfer_id };
      await transaction(pool, async (tx) => {
        if (!(await withdrawOffer(tx, { line, offeredAt: found.offered_at })))
          throw new Problem("conflict", "It was credited under this id, or offering it again will credit it.");
        const intakeId = intakeIdOf(intakeKey, transfer);
        await releaseSession(tx, { bank: found.bank, sessionId: found.session_id, intakeId });
      });
      // If this fails the line stays offered, under an id that is never credited, until the withdrawal is repeated.
      await bus.request(releaseLine, { line, bank_transfer_id, offered_at: found.offered_at });
      return {};
    }),
  ];
}
