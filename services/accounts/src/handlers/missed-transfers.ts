import { answer, type Bus, type Epochs, type Request } from "@collect/bus";
import {
  claimLine,
  findPartnerTransfer,
  getLineOffer,
  type Input,
  Problem,
  type Result,
  reportMissedTransfer,
  withdrawMissedTransfer,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { intakeIdOf, type ReportedTransfer } from "../domain/intake.ts";
import { isPlausiblyPaid } from "../domain/offers.ts";
import { transferOf } from "../domain/reports.ts";
import { keepOffer, reopenOffer } from "../store/line-offers.ts";
import { claimSession } from "../store/missed-transfers.ts";
import { type ConfirmedOffer, type Confirming, confirmOffer, findAtPartner } from "../use-cases/confirm-offer.ts";
import type { Intake } from "../use-cases/intake.ts";
import { reopenRefused } from "../use-cases/reopen-refused.ts";
import { finishWithdrawal, withdrawOffer } from "../use-cases/withdraw-offer.ts";

type Deps = {
  pool: Pool;
  bus: Bus;
  intake: Intake;
  intakeKey: string;
  partners: Confirming["partners"];
  epochs: Pick<Epochs, "assertCurrent">;
};

const NARRATION_MAX = 200;

/**
 * A transfer that an operator found in a statement takes the way of one that its bank reports. statements gives the line away under one
 * id only. The transfer is known by the bank's own id, so the bank's late report is a duplicate of it, or, if it says something else or has
 * the same session under another id, in quarantine.
 */
export const missedTransferRequests = (deps: Deps): Request[] => [
  answer(findPartnerTransfer, (sought) => findAtPartner(deps.partners, sought)),
  reportRequest(deps),
  withdrawRequest(deps),
];

function reportRequest({ pool, bus, intake, intakeKey, partners, epochs }: Deps): Request {
  const withdraw = (offer: Parameters<typeof withdrawOffer>[1]) => withdrawOffer({ pool, bus, intakeKey }, offer);
  return answer(reportMissedTransfer, async (given) => {
    // What was credited, and what was decided on an offer, may be missing after a restore.
    epochs.assertCurrent();
    const { payer_name: _, paid_at, ...offered } = given;
    if (paid_at !== null && !isPlausiblyPaid(paid_at, new Date()))
      throw new Problem(
        "validation_failed",
        "The time of payment has to be within the last 90 days, and not in the future.",
      );
    const release = async (refusal: unknown): Promise<never> => {
      await finishWithdrawal({ pool, bus }, offered);
      throw refusal;
    };
    const confirmed = await confirmOffer({ bus, partners }, offered).catch(async (refusal: unknown) => {
      await reopenRefused({ pool, bus, partners, intakeKey, epochs }, offered, refusal);
      return release(refusal);
    });
    // The bank may have taken its time, and accounts have been restored meanwhile.
    epochs.assertCurrent();
    const is_confirmed = confirmed.report !== undefined;
    const identity = { bank: confirmed.bank, mode: "live", bankTransferId: offered.bank_transfer_id } as const;
    const claimed = { amount: offered.amount.toString(), is_confirmed, intake_id: intakeIdOf(intakeKey, identity) };
    const claim = () => bus.request(claimLine, { ...offered, ...claimed });
    const line = claimLine.output.parse(await claim().catch(release));
    if (line.bank !== confirmed.bank)
      throw new Problem("conflict", "The account of the line was named at another bank meanwhile: repeat the offer.");
    const transfer = offeredTransfer(given, line, confirmed);
    const own = intakeIdOf(intakeKey, transfer);
    const holder = await claimSession(pool, { ...transfer, intakeId: own });
    // Kept, it would have the session after a restore that lost the report.
    if (holder !== own) {
      await withdraw({ ...line, line: offered.line, bank_transfer_id: offered.bank_transfer_id });
      throw new Problem("conflict", `The session was reported or offered under another id of the bank: ${holder}.`);
    }
    // From now on a report of the session under another id is in quarantine. What was reported by now without it has matched the line.
    const second = await claim().catch(async (refusal: unknown) => {
      // It was matched with another transfer since: no repeat would credit the offer, so it ends here. Unless it was credited at the same moment.
      if (refusal instanceof Problem && refusal.code === "conflict")
        await withdraw({ ...line, line: offered.line, bank_transfer_id: offered.bank_transfer_id });
      throw refusal;
    });
    const again = claimLine.output.parse(second);
    // A restore of statements may have given its number to another line.
    if (again.offered_at !== line.offered_at)
      throw new Problem("conflict", "The line was offered once more meanwhile: withdraw that, and offer it again.");
    const offer = { line: offered.line, offeredAt: line.offered_at };
    if (!(await keepOffer(pool, offer)))
      throw new Problem("conflict", "The offer was withdrawn: withdraw it once more, and offer the line again.");
    const { intakeId, status } = await intake.accept(transfer);
    // A refused repeat at the same moment may have reopened what is credited.
    await (status === "quarantined" ? reopenOffer : keepOffer)(pool, offer);
    return { intake_id: intakeId, status };
  });
}

function withdrawRequest({ pool, bus, intakeKey, epochs }: Omit<Deps, "intake" | "partners">): Request {
  return answer(withdrawMissedTransfer, async ({ line, bank_transfer_id }) => {
    epochs.assertCurrent();
    const found = getLineOffer.output.parse(await bus.request(getLineOffer, { line, bank_transfer_id }));
    // Restored meanwhile, it may lack what was decided on the offer.
    epochs.assertCurrent();
    if (!(await withdrawOffer({ pool, bus, intakeKey }, { ...found, line, bank_transfer_id })))
      throw new Problem("conflict", "It was credited under this id, or offering it again may credit it.");
    return {};
  });
}

/** What the partner confirms is credited as its notification would have been; where it cannot be asked, what was offered. */
function offeredTransfer(
  { payer_name, paid_at, ...offered }: Input<typeof reportMissedTransfer>,
  line: Result<typeof claimLine>,
  { bank, report }: ConfirmedOffer,
): ReportedTransfer {
  const paidAt = report?.paidAt ?? paid_at ?? line.paid_at;
  if (report) return { ...transferOf(bank, report), sessionId: report.sessionId ?? line.session_id, paidAt };
  if (paidAt === null) throw new Problem("validation_failed", "The line does not say when it was paid.");
  return {
    ...{ bank, mode: "live", bankTransferId: offered.bank_transfer_id, type: "credit", currency: "NGN" },
    ...{ accountNumber: offered.account_number, amount: offered.amount, bankFee: offered.amount - line.amount },
    ...{ reverses: null, sessionId: line.session_id, paidAt },
    narration: line.narration.slice(0, NARRATION_MAX),
    payer: { name: payer_name, accountNumber: null, bankName: null },
  };
}
