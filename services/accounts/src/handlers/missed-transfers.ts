import { answer, type Request } from "@collect/bus";
import { Problem, reportMissedTransfer } from "@collect/contracts";
import type { Intake } from "../use-cases/intake.ts";

/**
 * A transfer that an operator found in a statement takes the way of one that its bank reports. It is known by the bank's own id, so the
 * bank's late report is a duplicate of it, or, if it says something else, in quarantine.
 */
export function missedTransferRequests({ intake, banks }: { intake: Intake; banks: readonly string[] }): Request[] {
  return [
    answer(reportMissedTransfer, async ({ bank, bank_transfer_id, account_number, amount, payer_name, ...given }) => {
      // Under another bank's name the same transfer would be another one.
      if (!banks.includes(bank)) throw new Problem("not_found", "There is no partner with this id.");
      const { intakeId, status } = await intake.accept({
        ...{ bank, mode: "live", bankTransferId: bank_transfer_id, type: "credit", currency: "NGN" },
        ...{ accountNumber: account_number, amount, narration: given.narration, paidAt: given.paid_at },
        payer: { name: payer_name, accountNumber: null, bankName: null },
      });
      return { intake_id: intakeId, status };
    }),
  ];
}
