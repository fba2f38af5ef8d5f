import type { Bus, Epochs } from "@collect/bus";
import {
  claimReversal,
  conflictIn,
  getStatementLine,
  type Input,
  lateIdOf,
  type Result,
  type reportMissedReversal,
  reversalIdOf,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { formatNaira } from "@collect/money";
import { failpoint, type Logger } from "@collect/runtime";
import { leftOf, type Part, takenBy } from "../domain/line-reversal.ts";
import { isSameReversal, reversalIdsOf } from "../domain/reversal.ts";
import type { TransferRow } from "../store/inbound-transfers.ts";
import { readReceivedTransfers } from "../store/received-transfers.ts";
import type { Reversal, ReversalRow } from "../store/reversals.ts";
import { assertNoPayout } from "./assert-no-payout.ts";
import { assertDecided, bookReversal, namesOf, publishBooked, readBegun } from "./book-reversal.ts";
import { assertAmount, assertSameBank, namedCredit } from "./named-credit.ts";

export type LineReversalDeps = {
  pool: Pool;
  bus: Bus;
  log: Logger;
  intakeKey: string;
  epochs: Pick<Epochs, "assertCurrent">;
};
type Given = Input<typeof reportMissedReversal>;
type Line = Result<typeof getStatementLine>;

/**
 * Books what the bank took back of a transfer and never reported, as a line of its statement shows: as a reversal that the bank reports, whose id is
 * the number of the line, so that a line takes back once. statements keeps the line first, and has matched with their lines those reversals that
 * were known by then. One that is reported meanwhile may be this one: then nothing is booked, and the same is safe to repeat.
 */
export async function reverseByLine(
  { pool, bus, log, intakeKey, epochs }: LineReversalDeps,
  given: Given,
): Promise<Result<typeof reportMissedReversal>> {
  // How much of the credit is left, and whether the line was booked, may be lost after a restore.
  epochs.assertCurrent();
  const line = getStatementLine.output.parse(await bus.request(getStatementLine, { line: given.line }));
  const credit = await creditOf(pool, given, line);
  const ids = reversalIdsOf(intakeKey, { ...idsOf(given, line), reverses: credit.bankTransferId });
  const { before, known } = await readBegun(pool, { ...idsOf(given, line), creditId: ids.creditId });
  if (known) return repeated(known, { ...ids, ...given });
  assertDecided(credit, before);
  const hasSession = await assertMeant(pool, credit, line);
  const reversal = { ...reversalOf(given, line, { credit, parts: before }), ...ids };
  await assertNoPayout(bus, { given, line, credit, hasSession });
  const { accountNumber: account_number, amount } = reversal;
  const claim = { line: given.line, account_number, amount: amount.toString(), reversals: namesOf(before) };
  await bus.request(claimReversal, claim);
  failpoint("claimed");
  epochs.assertCurrent();
  const act = {
    before,
    repeated: (booked: ReversalRow) => repeated(booked, reversal),
    used: () => conflictIn("line", "line_is_used", "The line has taken another transfer back."),
  };
  const taken = await transaction(pool, (tx) => bookReversal(tx, reversal, act));
  publishBooked({ pool, bus, log }, taken);
  return taken;
}

const idsOf = (given: Given, { bank }: Line) =>
  ({ bank, mode: "live", bankTransferId: reversalIdOf(given.line) }) as const;

async function creditOf(pool: Pool, { intake_id }: Given, line: Line): Promise<TransferRow> {
  const credit = await namedCredit(pool, intake_id);
  assertSameBank(credit, line);
  return credit;
}

/** The same act again, whatever has become of the credit since. */
function repeated(
  known: ReversalRow,
  { reversalId, creditId, amount }: { reversalId: string; creditId: string; amount: bigint },
): Result<typeof reportMissedReversal> {
  if (!isSameReversal(known, { creditId, amount, accountNumber: "" }))
    throw conflictIn(
      "line",
      "line_is_used",
      `The line has taken ${formatNaira(known.amount)} back of ${known.creditId}.`,
    );
  return { reversal_id: reversalId, status: "duplicate" };
}

/** What the line itself says of the credit. Whether it has its session. */
export async function assertMeant(
  pool: Pool,
  credit: TransferRow,
  { bank, session_id, booked_on }: Line,
): Promise<boolean> {
  if (Date.parse(credit.paidAt) > Date.parse(endOf(booked_on)))
    throw conflictIn("line", "line_is_earlier", `The line is of ${booked_on}, before the transfer was paid.`);
  const named = session_id === null ? [] : await readReceivedTransfers(pool, { by: { bank, session_id } });
  // One that came late has none itself: it is that of the transfer that was taken back as never come.
  const hasSession = named.some(
    ({ intake_id: id }) => id === credit.intakeId || lateIdOf(id) === credit.bankTransferId,
  );
  if (named.length > 0 && !hasSession)
    throw conflictIn("intake_id", "session_of_another", `The line has the session of ${named[0]?.intake_id}.`);
  return hasSession;
}

/** Of the day in Lagos. */
const endOf = (day: string) => `${day}T23:59:59.999+01:00`;

function reversalOf(
  given: Given,
  line: Line,
  { credit, parts }: { credit: TransferRow; parts: Part[] },
): Omit<Reversal, "reversalId" | "creditId"> {
  if (line.amount >= 0n)
    throw conflictIn("line", "line_is_incoming", "The line is money that was received, and not taken back.");
  const taken = takenBy(line, credit, parts);
  const left = leftOf(credit, parts);
  if (taken.amount > left)
    throw conflictIn("line", "more_than_left", `Of the transfer ${formatNaira(left)} is left, and the line is more.`);
  assertAmount(given, taken.amount, (naira) => `The line takes back ${naira} of the transfer.`);
  return {
    ...{ ...idsOf(given, line), type: "reversal", reverses: credit.bankTransferId, ...taken, currency: "NGN" },
    ...{ accountNumber: credit.accountNumber, sessionId: line.session_id, settlementId: null, narration: null },
    payer: { name: "", accountNumber: null, bankName: null },
    // Within the day in Lagos, and not before a credit of that day.
    paidAt: endOf(line.booked_on),
  };
}
