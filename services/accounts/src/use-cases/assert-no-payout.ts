import type { Bus } from "@collect/bus";
import {
  conflictIn,
  findPayoutOfLine,
  type getStatementLine,
  type Input,
  type Result,
  type reportMissedReversal,
} from "@collect/contracts";

type Payout = NonNullable<Result<typeof findPayoutOfLine>["payout"]>;
type Given = {
  given: Pick<Input<typeof reportMissedReversal>, "line" | "despite_payouts">;
  line: Result<typeof getStatementLine>;
  credit: { accountNumber: string; bankTransferId: string };
  /** Whether the line has the session of the credit. */
  hasSession: boolean;
};

/**
 * A payout that the bank executed late is an outgoing line in no match, too, and no merchant is debited for it. A line that names the credit is
 * believed, unless it names the payout by our id, or the payout went to the account of the credit: then both have one session.
 */
export async function assertNoPayout(bus: Bus, { given, line, credit, hasSession }: Given): Promise<void> {
  const { payout } = findPayoutOfLine.output.parse(await bus.request(findPayoutOfLine, { line: given.line }));
  if (payout === null) return;
  const { named_by } = payout;
  if (named_by === "reference") throw is(payout);
  const isSameMoney = payout.account_number === credit.accountNumber;
  const isLikeness = named_by === "beneficiary" || isSameMoney;
  if (isLikeness && candidates(payout).every((each) => given.despite_payouts?.includes(each))) return;
  const namesCredit = hasSession || isNamed(line, credit.bankTransferId);
  if (namesCredit && !isSameMoney) return;
  throw isLikeness ? mayBe(payout) : is(payout);
}

const candidates = ({ reference, others = [] }: Payout): string[] => [reference, ...others];

/** As a reference, or between other characters of the narration. */
function isNamed({ references, narration }: Given["line"], id: string): boolean {
  const words = narration.split(/\s+/).flatMap((word) => [word, ...word.split(/[/|,:;]/)]);
  return references.includes(id) || words.includes(id);
}

const is = (payout: Payout) =>
  refused(
    "line_is_payout",
    `The line names our payout ${payout.reference}, which ${STATES[payout.status]}, and takes no transfer back. ${NEXT[payout.status]}`,
  );

const mayBe = (payout: Payout) =>
  refused(
    "line_may_be_payout",
    `The line has ${payout.named_by === "session" ? "the session" : "the amount and the account"} of our payout ${payout.reference}, which ${STATES[payout.status]}. ${NEXT[payout.status]} If the bank's staff confirm that the line is none of ${candidates(payout).join(", ")}, name all of them as what it is not.`,
  );

const STATES: Record<Payout["status"], string> = {
  pending: "the bank has not answered",
  success: "has succeeded",
  failed: "has failed",
  reversed: "was reversed",
};

const GONE = "Its merchant has the money back: get it from the beneficiary or the bank.";
const NEXT: Record<Payout["status"], string> = {
  pending: "Once the bank answers, or it is ended as paid, it is matched with the line.",
  success: "Match the line with it by hand; if it has a line already, the bank executed it twice.",
  failed: GONE,
  reversed: GONE,
};

const refused = (code: string, message: string) => conflictIn("line", code, message);
