import { answer, type Request } from "@collect/bus";
import {
  closeRefusedReversal,
  creditLateTransfer,
  reportMissedReversal,
  reverseMissingCredit,
} from "@collect/contracts";
import { closeReversal } from "../use-cases/close-reversal.ts";
import { creditLate } from "../use-cases/credit-late.ts";
import type { Intake } from "../use-cases/intake.ts";
import { type LineReversalDeps, reverseByLine } from "../use-cases/reverse-by-line.ts";
import { reverseMissing } from "../use-cases/reverse-missing.ts";

/**
 * What operators found in a statement that a bank took back, and never reported; what it reported, and its statements do not have; and what the
 * ledger refuses.
 */
export const missedReversalRequests = (deps: LineReversalDeps & { intake: Intake }): Request[] => [
  answer(reportMissedReversal, (given) => reverseByLine(deps, given)),
  answer(reverseMissingCredit, (given) => reverseMissing(deps, given)),
  answer(creditLateTransfer, (given) => creditLate(deps, given)),
  answer(closeRefusedReversal, (given) => closeReversal(deps, given)),
];
