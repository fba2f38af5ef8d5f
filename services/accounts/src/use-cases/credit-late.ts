import {
  claimLine,
  conflictIn,
  type creditLateTransfer,
  getStatementLine,
  type Input,
  lateIdOf,
  missingIdOf,
  Problem,
  type Result,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { formatNaira } from "@collect/money";
import { failpoint } from "@collect/runtime";
import { intakeIdOf, type ReportedTransfer } from "../domain/intake.ts";
import { arrivedOf } from "../domain/offers.ts";
import type { TransferRow } from "../store/inbound-transfers.ts";
import { keepOffer, reopenOffer } from "../store/line-offers.ts";
import { readReversal } from "../store/reversals.ts";
import type { Intake } from "./intake.ts";
import { assertAmount, assertSameBank, namedCredit } from "./named-credit.ts";
import { assertMeant, type LineReversalDeps } from "./reverse-by-line.ts";

type Given = Input<typeof creditLateTransfer>;
type Line = Result<typeof getStatementLine>;
type Deps = LineReversalDeps & { intake: Intake };

/**
 * Credits a transfer once more that was taken back as never come and came after all: as the offer of its line, under an id that only this transfer
 * has. So it is credited once, whichever lines are named, and a line credits one transfer. What the bank reports of it is still the first one.
 */
export async function creditLate(
  { pool, bus, intakeKey, epochs, intake }: Deps,
  given: Given,
): Promise<Result<typeof creditLateTransfer>> {
  epochs.assertCurrent();
  const line = getStatementLine.output.parse(await bus.request(getStatementLine, { line: given.line }));
  const credit = await takenBack(pool, given);
  await assertIsLine(pool, credit, line);
  const transfer = lateTransfer(credit);
  const claim = {
    ...{ line: given.line, bank_transfer_id: transfer.bankTransferId, account_number: transfer.accountNumber },
    ...{ amount: transfer.amount.toString(), is_confirmed: true, intake_id: intakeIdOf(intakeKey, transfer) },
  };
  const { offered_at: offeredAt } = claimLine.output.parse(await bus.request(claimLine, claim));
  failpoint("claimed");
  epochs.assertCurrent();
  const offer = { line: given.line, offeredAt };
  if (!(await keepOffer(pool, offer)))
    throw new Problem("conflict", "The line was taken back meanwhile: take it back once more, and repeat this.");
  const { intakeId, status } = await intake.accept(transfer);
  failpoint("resolved");
  await (status === "quarantined" ? reopenOffer : keepOffer)(pool, offer);
  return { intake_id: intakeId, status };
}

async function takenBack(pool: Pool, given: Given): Promise<TransferRow> {
  const credit = await namedCredit(pool, given.intake_id);
  const { bank, mode, intakeId, amount } = credit;
  if (!(await readReversal(pool, { bank, mode, bankTransferId: missingIdOf(intakeId) })))
    throw conflictIn("intake_id", "not_taken_back", "The transfer was not taken back as never come.");
  assertAmount(given, amount, (naira) => `The transfer is ${naira}.`);
  return credit;
}

async function assertIsLine(pool: Pool, credit: TransferRow, line: Line): Promise<void> {
  assertSameBank(credit, line);
  const arrived = arrivedOf(credit);
  if (line.amount !== arrived)
    throw conflictIn(
      "line",
      "line_differs",
      `Of the transfer ${formatNaira(arrived)} reaches us, and the line is not that.`,
    );
  await assertMeant(pool, credit, line);
}

/** Without its session, which the transfer has that was taken back: it is matched with its line by its id. */
function lateTransfer(credit: TransferRow): ReportedTransfer {
  const { bank, accountNumber, amount, bankFee, bankVat, currency, narration, paidAt } = credit;
  return {
    ...{ bank, mode: "live", bankTransferId: lateIdOf(credit.intakeId), type: "credit", reverses: null },
    ...{ accountNumber, amount, bankFee, bankVat, currency, narration, paidAt, sessionId: null, settlementId: null },
    payer: {
      ...{ name: credit.payerName, accountNumber: credit.payerAccountNumber, bankName: credit.payerBankName },
    },
  };
}
