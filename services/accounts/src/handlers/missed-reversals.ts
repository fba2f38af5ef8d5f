import { answer, type Request } from "@collect/bus";
import { reportMissedReversal } from "@collect/contracts";
import { type LineReversalDeps, reverseByLine } from "../use-cases/reverse-by-line.ts";

/** What operators found in a statement that a bank took back, and never reported. */
export const missedReversalRequests = (deps: LineReversalDeps): Request[] => [
  answer(reportMissedReversal, (given) => reverseByLine(deps, given)),
];
